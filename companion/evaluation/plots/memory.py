"""The plot of memory: what is resident here, and what each profile will take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Document = dict[str, Any]

NAMES = {
    "weights": "weights of the language model",
    "kv": "its KV cache",
    "compute": "its compute buffers",
    "repacked": "a second layout of weights",
    "set_aside": "the dialog's state, set aside",
    "cuda_runtime": "CUDA (assumed)",
    "cuda_graphs": "CUDA's graphs (assumed)",
    "cuda_pool": "CUDA's pool",
    "token_table": "token table on the host",
    "llm_rest": "its vocabulary",
    "llm_client": "client of its server",
    "program": "Python and the program",
    "embedder": "embedder",
    "tts": "text to speech",
    "stt": "speech to text",
    "vad": "voice detection",
    "echo": "echo cancelling",
    "store_and_dialog": "store and dialog",
    "sound_devices": "processes of microphone and speaker",
    "system": "system (assumed)",
}
OF_THE_MODEL = ("weights", "kv", "compute", "set_aside")


def memory(figure: Any, result: Document) -> None:
    """Parts beside the model against the contract; every profile against its machine."""
    from matplotlib import colormaps

    shades = {name: colormaps["tab20"](number) for number, name in enumerate(NAMES)}
    here, there = figure.subplots(1, 2, width_ratios=(1, 2))
    beside = {k: v for k, v in result["parts"].items() if k not in OF_THE_MODEL}
    _stack(here, result["profile"], beside, shades, 1e6, least=25)
    contract = result["contract"] / 1e6
    here.axhline(contract, color="black", linestyle="--", linewidth=1)
    here.annotate(
        f"contract: {contract:.0f} MB at most", (0, contract), ha="center", va="bottom", fontsize=8
    )
    here.set(
        ylabel="resident megabytes (lower is better)",
        ylim=(0, max(contract, sum(beside.values()) / 1e6) * 1.12),
        title="Measured, beside the model",
    )
    predictions = result["prediction"]
    for number, (profile, found) in enumerate(predictions.items()):
        terms = {name: term["bytes"] for name, term in found["terms"].items()}
        _stack(there, f"{profile}\n{found['model']}", terms, shades, 1e9, least=0.25)
        room = found["room"] / 1e9
        there.hlines(room, number - 0.45, number + 0.45, color="black", linestyle="--", linewidth=1)
        there.annotate(
            f"the machine has {room:.2f} GB", (number, room), ha="center", va="bottom", fontsize=8
        )
    there.set(ylabel="gigabytes", title="Predicted for each profile, everything included")
    there.margins(y=0.08)
    shown: dict[str, Any] = {}
    for axes in (there, here):
        handles, labels = axes.get_legend_handles_labels()
        shown = {**dict(zip(labels, handles, strict=True)), **shown}
    figure.legend(shown.values(), shown.keys(), loc="outside right center", fontsize=8)
    fit = [name for name, found in predictions.items() if found["fits"]]
    figure.suptitle(
        f"{result['beyond_weights_kv_compute'] / 1e6:.0f} MB beside the language model; "
        f"{len(fit)} of {len(predictions)} profiles fit their machine"
    )


def _stack(
    axes: Any, place: str, parts: Mapping[str, int], shades: Mapping[str, Any], unit: float, *,
    least: float,
) -> None:  # fmt: skip
    """A bar of parts, each labelled when it takes `least` or more of the axis' units."""
    bottom = 0.0
    for name in (*OF_THE_MODEL, *(each for each in NAMES if each not in OF_THE_MODEL)):
        size = parts.get(name, 0) / unit
        if size <= 0:
            continue
        bar = axes.bar(
            [place], [size], bottom=bottom, color=shades[name], label=NAMES[name], width=0.6
        )
        if size >= least:
            text = f"{size:.0f} MB" if unit < 1e9 else f"{size:.2f} GB"
            axes.bar_label(bar, [text], label_type="center", fontsize=8)
        bottom += size
