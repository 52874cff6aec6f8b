"""The page of a proof: tables and a plot of its folder, in the form of docs/results.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tegrastats

PAGE = "page.md"
PLOT = "proof.png"
SECOND_MS = 1000

_STAGES = {
    "endpoint": "speech is over for certain",
    "transcript": "words known",
    "recall": "memories found",
    "first_token": "first token",
    "first_clause": "first clause",
    "first_sound": "first sound",
}
_TERMS = {"weights": "weights", "kv": "KV cache", "compute": "compute", "set_aside": "set aside"}


@dataclass(frozen=True)
class Proof:
    """What was measured so far, by model and step."""

    folder: Path
    models: Sequence[str]

    def found(self, model: str, step: str) -> dict[str, Any] | None:
        """A step's document; None where it was not measured."""
        return self._read(f"{model}-{step}.json")

    @property
    def machine(self) -> dict[str, Any]:
        return self._read("machine.json") or {}

    @property
    def clocks(self) -> dict[str, Any]:
        return self._read("tegrastats.json") or {}

    @property
    def build(self) -> dict[str, Any]:
        return self._read("build.json") or {}

    def slices(self, model: str) -> dict[int, dict[str, Any]]:
        """Of giving way, by the longest slice."""
        found = {}
        for file in self.folder.glob(f"{model}-preempt-*.json"):
            document = self._read(file.name)
            if document is not None:
                found[int(file.stem.rpartition("-")[2])] = document
        return dict(sorted(found.items()))

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            document: dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return document


def write(proof: Proof, failed: Mapping[str, str]) -> None:
    """The page, and its plot where matplotlib is installed. Raises OSError."""
    drawn = draw(proof)
    text = "\n".join(lines(proof, failed, drawn=drawn)) + "\n"
    part = proof.folder / f"{PAGE}.part"
    part.write_text(text, encoding="utf-8")
    part.replace(proof.folder / PAGE)


def lines(proof: Proof, failed: Mapping[str, str], *, drawn: bool) -> Iterator[str]:
    yield "# Proof of a machine"
    yield ""
    yield from _machine(proof)
    for model in proof.models:
        yield verdict(proof, model)
    for name, why in failed.items():
        yield f"- **Not measured**: {name}: {why}"
    if drawn:
        yield from ("", f"![all of it]({PLOT})")
    for part in (_voice, _first_tokens, _giving_way, _memory, _exact, _shortage, _clocks):
        rows = list(part(proof))
        if rows:
            yield from ("", *rows)


def verdict(proof: Proof, model: str) -> str:
    """Whether the first sound comes within a second, and what memory is left."""
    spoken, memory = proof.found(model, "spoken"), proof.found(model, "memory")
    words = f"- **{model}**: "
    if spoken is None or not spoken["by_model"]:
        words += "first sound not measured"
    else:
        met = "meets" if spoken["first_sound_p50_ms"] <= SECOND_MS else "does not meet"
        words += (
            f"first sound {spoken['first_sound_p50_ms']:,.0f} ms after the end of speech (median "
            f"of {spoken['by_model']} turns; {spoken['first_sound_p90_ms']:,.0f} for 9 of 10): "
            f"{met} one second"
        )
    left = memory_left(proof, memory)
    return words + ("" if left is None else f"; memory left: {left / 1e9:.2f} GB")


def memory_left(proof: Proof, memory: Mapping[str, Any] | None) -> int | None:
    """Bytes that the machine can still give while everything is loaded."""
    free = proof.machine.get("memory_available")
    grew = None if memory is None else memory.get("machine_grew")
    return None if free is None or grew is None else free - grew


def _machine(proof: Proof) -> Iterator[str]:
    found, build = proof.machine, proof.build
    gpus = ", ".join(each["name"] for each in found.get("gpus", [])) or "none"
    memory = found.get("memory")
    rows = {
        "system": found.get("system"),
        "Jetson Linux": found.get("jetson_linux") or "no",
        "power mode": " ".join((found.get("power_mode") or "not told").split()),
        "GPU": gpus,
        "memory": None if memory is None else f"{memory / 1e9:.1f} GB",
        "llama.cpp": f"{build.get('how', '?')}; {build.get('features', '')}".replace(" |", ","),
        "disk": f"reads {found['reads_mb_s']:,} MB/s" if found.get("reads_mb_s") else "not told",
        "weights": found.get("weights"),
    }
    yield from table(("machine", ""), [(key, value) for key, value in rows.items() if value])
    yield ""


def _voice(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        if spoken := proof.found(model, "spoken"):
            rows += [
                (model, words, each["turns"], *_ms(each, "p50_ms", "p90_ms", "p99_ms"))
                for stage, words in _STAGES.items()
                if (each := spoken["stages"][stage])["turns"]
            ]
    if rows:
        yield "Spoken turns from files at real pace, ms after the end of speech:"
        yield ""
        yield from table(("model", "stage", "turns", "p50", "p90", "p99"), rows)


def _first_tokens(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        for each in (proof.found(model, "ttft") or {}).get("lengths", []):
            arms = each["arms"]
            waits = [f"{arms[arm]['ttft_ms']:,.0f}" for arm in ("paper", "stable", "spoken")]
            speed = arms["stable"]["decode_tokens_per_s"]
            rows.append((model, f"{each['context_tokens']:,}", *waits, speed))
    if rows:
        yield "First token, ms, and tokens written a second:"
        yield ""
        yield from table(("model", "tokens", "paper", "stable", "spoken", "tokens/s"), rows)


def _giving_way(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        for size, each in proof.slices(model).items():
            waits = _ms(each, "free_p50_ms", "free_p99_ms", "ready_p50_ms", "ready_p99_ms")
            rows.append((model, size, each["interruptions"], *waits))
    if rows:
        yield "Giving way, ms until the model is free and until the prompt's state is back:"
        yield ""
        heads = ("model", "slice", "times", "free p50", "p99", "ready p50", "p99")
        yield from table(heads, rows)


def _memory(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        memory = proof.found(model, "memory") or {}
        for term, words in _TERMS.items():
            if pair := memory.get("check", {}).get(term):
                predicted, taken = pair
                off = f"{(predicted / taken - 1):+.1%}" if taken else ""
                rows.append((model, words, f"{predicted / 1e6:,.0f}", f"{taken / 1e6:,.0f}", off))
        if memory:
            rows.append((model, "all parts", "", f"{memory['total'] / 1e6:,.0f}", ""))
    if rows:
        yield "Memory by term, MB:"
        yield ""
        yield from table(("model", "term", "predicted", "taken", "off"), rows)


def _exact(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        if each := proof.found(model, "exact"):
            must = "all" if each["exact"] else "a GPU may differ in near ties"
            rows.append((model, f"{each['same']} of {each['turns']}", must))
    if rows:
        yield "The same answer with the cache as without:"
        yield ""
        yield from table(("model", "turns", "must be"), rows)


def _shortage(proof: Proof) -> Iterator[str]:
    rows = []
    for model in proof.models:
        for case, each in (proof.found(model, "out-of-memory") or {}).items():
            said = each["said"].replace("|", "/")
            rows.append((model, case.replace("_", " "), "yes" if each["named"] else "**no**", said))
    if rows:
        yield "Memory that runs out, and what is said:"
        yield ""
        yield from table(("model", "while", "named", "said"), rows)


def _clocks(proof: Proof) -> Iterator[str]:
    found = proof.clocks
    if not found:
        return
    if not found["seen"]:
        yield f"Temperature and clocks: {found['why']}."
        return
    yield f"Temperature and clocks by tegrastats, {found['seen']} times:"
    yield ""
    rows = [
        (name, *(f"{value:g}" for value in values))
        for name, values in found.items()
        if isinstance(values, list)
    ]
    yield from table(("what", "least", "middle", "most"), rows)


def _ms(document: Mapping[str, Any], *keys: str) -> list[str]:
    return [f"{document[key]:,.0f}" for key in keys]


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def draw(proof: Proof) -> bool:
    """Four pictures in one; False where matplotlib is not installed. Raises OSError."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11, 8), layout="constrained")
    sounds, tokens, ways, heat = figure.subplots(2, 2).flat
    for model in proof.models:
        if spoken := proof.found(model, "spoken"):
            known = [stage for stage in _STAGES if spoken["stages"][stage]["turns"]]
            middle = [spoken["stages"][stage]["p50_ms"] for stage in known]
            sounds.plot(middle, [_STAGES[stage] for stage in known], marker="o", label=model)
        lengths = (proof.found(model, "ttft") or {}).get("lengths", [])
        across = [each["context_tokens"] for each in lengths]
        for arm, style in (("paper", ":"), ("stable", "-"), ("spoken", "--")):
            waits = [each["arms"][arm]["ttft_ms"] for each in lengths]
            tokens.plot(across, waits, style, marker=".", label=f"{model}, {arm}")
        slices = proof.slices(model)
        ready = [each["ready_p99_ms"] for each in slices.values()]
        ways.plot(list(slices), ready, marker="o", label=model)
    sounds.axvline(SECOND_MS, color="black", linestyle="--", linewidth=1)
    sounds.set(title="Spoken turns", xlabel="ms after the end of speech (median)")
    tokens.set(title="First token", xlabel="tokens in the context", ylabel="ms")
    ways.axhline(150, color="black", linestyle="--", linewidth=1)
    ways.set(title="Giving way (p99)", xlabel="longest slice, tokens", ylabel="ms until ready")
    series = tegrastats.read(proof.folder / tegrastats.LOG)
    for name, values in series.items():
        if name.endswith("_c"):
            heat.plot(values, label=name)
    heat.set(title="Temperature, °C", xlabel="seconds")
    if not any(name.endswith("_c") for name in series):
        heat.text(0.5, 0.5, proof.clocks.get("why", "not seen"), ha="center", fontsize=8)
        heat.set_axis_off()
    for axes in (sounds, tokens, ways, heat):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=7)
    try:
        figure.savefig(proof.folder / PLOT, dpi=110, format="png")
    finally:
        pyplot.close(figure)
    return True
