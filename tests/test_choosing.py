"""What `auto` takes: by kind of machine or by what set-up found, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import config
from companion.config import automatic
from companion.config.automatic import Choice
from companion.doctor import choosing
from companion.doctor.choosing import Expected, Machine, choose, expected_of
from companion.engines.llama.speed import READ_TOKENS, RUNS, WRITTEN_TOKENS, Speed, measure

GIB = 2**30
LARGE = Machine(memory=32 * GIB, free=20 * GIB, cores=8)
QUICK = Expected(read=120.0, written=11.0)


class Asked:
    """What would cost something, counted."""

    def __init__(self, refusal: str | None = None, expected: Expected | None = QUICK) -> None:
        self.calls: list[str] = []
        self._refusal = refusal
        self._expected = expected

    def hub(self) -> str | None:
        self.calls.append("hub")
        return self._refusal

    def run(self) -> Expected | None:
        self.calls.append("run")
        return self._expected


def test_a_large_quick_machine_with_a_hub_takes_desktop_and_says_why() -> None:
    asked = Asked()
    assert choose(LARGE, asked.hub, asked.run) == Choice(
        "desktop",
        "8 cores, 21.5 GB of memory free, and a short run lets its model read about 120 and write "
        "about 11 tokens/s",
    )
    assert asked.calls == ["hub", "run"]


@pytest.mark.parametrize(
    ("machine", "refusal", "expected", "why", "calls"),
    [
        (Machine(32 * GIB, 20 * GIB, 3), None, QUICK, "3 cores; desktop needs 4", []),
        (Machine(16 * GIB, 7 * GIB, 8), None, QUICK, "7.5 GB of memory free; desktop needs", []),
        (LARGE, "x cannot be reached", QUICK, "cannot be had: x cannot be reached", ["hub"]),
        (LARGE, None, None, "no short run could be made", ["hub", "run"]),
        (LARGE, None, Expected(39.0, 11.0), "read about 39", ["hub", "run"]),
        (LARGE, None, Expected(120.0, 4.0), "write about 4", ["hub", "run"]),
    ],
)
def test_any_other_takes_laptop_and_nothing_that_costs_is_tried_in_vain(
    machine: Machine, refusal: str | None, expected: Expected | None, why: str, calls: list[str]
) -> None:
    asked = Asked(refusal, expected)
    choice = choose(machine, asked.hub, asked.run)
    assert choice.profile == "laptop"
    assert why in choice.why
    assert asked.calls == calls


def test_the_limits_themselves_suffice() -> None:
    asked = Asked(expected=Expected(choosing.NEEDED_READ, choosing.NEEDED_WRITTEN))
    machine = Machine(8 * GIB, choosing.NEEDED_FREE, choosing.NEEDED_CORES)
    assert choose(machine, asked.hub, asked.run).profile == "desktop"


class TimedModel:
    """A model on a clock of its own."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.reads = 0

    def read(self, tokens: int) -> None:
        # The first pass loads; one of the others is disturbed.
        self.reads += 1
        self.seconds += {1: 30.0, 3: 5.0}.get(self.reads, tokens / 400)

    def write(self, tokens: int) -> None:
        self.seconds += tokens / 50

    def now(self) -> float:
        return self.seconds


def test_the_short_run_counts_the_best_and_leaves_the_loading_out() -> None:
    model = TimedModel()
    assert measure(model, model.now) == Speed(read=400.0, written=50.0)
    assert model.reads == RUNS + 1
    assert READ_TOKENS + WRITTEN_TOKENS < 256, "short"


def test_a_larger_model_is_expected_to_be_slower_by_its_bytes() -> None:
    assert expected_of(400.0, 50.0, small=100, large=2500) == Expected(16.0, 2.0)


def test_free_memory_is_what_the_kernel_calls_available(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    file.write_text("MemTotal: 16000000 kB\nMemFree: 100 kB\nMemAvailable: 9000000 kB\n")
    assert choosing.free_memory(file) == 9_000_000 * 1024
    assert choosing.free_memory(tmp_path / "none") > 0


# ---- what is remembered


@pytest.fixture
def of_laptops(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose kind says `laptop`, wherever the tests run."""
    kind = Choice("laptop", "16.0 GB of memory")
    monkeypatch.setattr(automatic, "by_kind", lambda: kind)
    monkeypatch.setattr(choosing, "by_kind", lambda: kind)


def loaded(tmp_path: Path, text: str = "", profile: str | None = None) -> config.Config:
    file = tmp_path / "config.yaml"
    file.write_text(f"models_dir: {tmp_path / 'models'}\n{text}")
    return config.load(file, profile=profile)


def test_without_a_choice_auto_goes_by_the_kind_of_machine(
    of_laptops: None, tmp_path: Path
) -> None:
    found = loaded(tmp_path)
    assert (found.profile, found.automatic) == ("laptop", "16.0 GB of memory")


def test_every_start_takes_what_set_up_chose(of_laptops: None, tmp_path: Path) -> None:
    automatic.remember(tmp_path / "models", Choice("desktop", "it is quick"))
    found = loaded(tmp_path)
    assert (found.profile, found.automatic) == ("desktop", "it is quick")
    assert found.llm.active.model == "qwen3-4b-instruct-2507"


def test_a_profile_that_is_named_wins(of_laptops: None, tmp_path: Path) -> None:
    automatic.remember(tmp_path / "models", Choice("desktop", "it is quick"))
    assert loaded(tmp_path, profile="tiny").profile == "tiny"
    named = loaded(tmp_path, "profile: laptop\n")
    assert (named.profile, named.automatic) == ("laptop", None)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", "nonsense", '{"profile": "desktop", "why": "x", "memory": "y", "cores": 1}'],
)
def test_a_damaged_choice_is_none(of_laptops: None, tmp_path: Path, text: str) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / automatic.FILE).write_text(text)
    assert loaded(tmp_path).profile == "laptop"


@pytest.mark.parametrize("larger", ["memory", "cores"])
def test_a_choice_made_on_a_larger_machine_is_none(
    of_laptops: None, tmp_path: Path, larger: str
) -> None:
    """A disk that was put into another computer."""
    automatic.remember(tmp_path / "models", Choice("desktop", "it is quick"))
    file = tmp_path / "models" / automatic.FILE
    document = json.loads(file.read_text())
    file.write_text(json.dumps(document | {larger: document[larger] * 2}))
    assert loaded(tmp_path).profile == "laptop"


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way")
    automatic.remember(tmp_path / "models", Choice("desktop", "it is quick"))
    assert automatic.remembered(tmp_path / "models") is None


def test_nothing_is_chosen_where_it_is_settled(of_laptops: None, tmp_path: Path) -> None:
    assert not choosing.is_settled(loaded(tmp_path))
    for text in ("profile: laptop\n", "llm: {active: {file: /x/mine.gguf}}\n"):
        assert choosing.is_settled(loaded(tmp_path, text)), text
    coder = tmp_path / "models" / "qwen2.5-coder-1.5b" / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    coder.parent.mkdir(parents=True)
    with coder.open("wb") as stream:
        stream.truncate(1_117_320_768)
    assert choosing.is_settled(loaded(tmp_path)), "a stand-in is in place"
    coder.unlink()
    automatic.remember(tmp_path / "models", Choice("laptop", "2 cores"))
    assert choosing.is_settled(loaded(tmp_path))
