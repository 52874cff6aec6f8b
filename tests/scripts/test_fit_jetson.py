"""How the model is loaded on a board on which large allocations fail: in which order, and what is
written. The board is a function that says what its memory would."""

from __future__ import annotations

from pathlib import Path

import pytest
from fit_jetson import SMALLER, Candidate, Failed, candidates, choose, keep, selftest
from jetson_release import allocates_short, release

from companion import config
from companion.config import LlmSection
from companion.weights.manifest import Manifest

NVMAP = "not enough memory for the weights (4.37 GB needed at once on the GPU, 5.10 GB free)"


@pytest.mark.parametrize(
    ("text", "found", "short"),
    [
        ("# R36 (release), REVISION: 4.3, GCID: 38968081\n", (36, 4, 3), False),
        ("# R36 (release), REVISION: 4.7, GCID: 42132812\n", (36, 4, 7), True),
        ("# R36 (release), REVISION: 5.0, GCID: 43688277\n", (36, 5, 0), True),
        ("# R36 (release), REVISION: 4, GCID: 1\n", (36, 4, 0), False),
        ("# R38 (release), REVISION: 2.0\n", (38, 2, 0), True),
        ("something else\n", None, False),
    ],
)
def test_a_release_is_read(
    tmp_path: Path, text: str, found: tuple[int, int, int] | None, short: bool
) -> None:
    file = tmp_path / "nv_tegra_release"
    file.write_text(text)
    assert release(file) == found
    assert allocates_short(found) is short
    assert release(tmp_path / "none") is None


def board(passes: str) -> tuple[list[str], list[str], Candidate | None]:
    """What is tried and said on a board where only what begins so passes; and what is chosen."""
    tried: list[str] = []
    said: list[str] = []

    def load(candidate: Candidate) -> None:
        tried.append(candidate.what)
        if not candidate.what.startswith(passes):
            raise Failed(NVMAP)

    return tried, said, choose(load, said.append)


def test_a_board_that_is_well_changes_nothing() -> None:
    tried, said, chosen = board("as configured")
    assert tried == ["as configured"]
    assert said == []
    assert chosen is not None
    assert chosen.changes == {}


def test_layers_then_no_mapping_then_a_smaller_model() -> None:
    order = [each.what for each in candidates()]
    tried, said, chosen = board("a smaller model")
    assert tried == order
    kinds = [
        next(kind for kind in ("as conf", "not mapped", "layers", "smaller") if kind in each)
        for each in order
    ]
    assert list(dict.fromkeys(kinds)) == ["as conf", "layers", "not mapped", "smaller"]
    assert all(NVMAP in line for line in said)
    assert chosen is not None
    assert chosen.changes == {"model": SMALLER}
    assert Manifest.load()[SMALLER].role == "llm"


def test_a_board_that_loads_nothing_has_no_choice() -> None:
    tried, said, chosen = board("never")
    assert chosen is None
    assert len(tried) == len(said) == len(list(candidates()))


def test_what_is_no_shortage_of_memory_is_not_tried_again_with_less() -> None:
    tried = []

    def load(candidate: Candidate) -> None:
        tried.append(candidate)
        raise Failed("llm.active.gpu_layers is -1, but llama.cpp finds no GPU")

    assert choose(load, lambda line: None) is None
    assert len(tried) == 1


def test_what_was_chosen_is_what_the_configuration_then_says(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("profile: jetson\ndata_dir: /var/lib/companion\n")
    for candidate in candidates():
        if candidate.changes:
            file.write_text("profile: jetson\ndata_dir: /var/lib/companion\n")
            assert keep(candidate, file)
            active = config.load(file).llm.active
            for key, value in candidate.changes.items():
                assert getattr(active, key) == value
            assert active.prefill_slice == 512, "the profile's"
            assert not keep(candidate, file), "what stands there is not overwritten"


@pytest.mark.real
def test_a_real_self_test_passes_or_says_why(llm_tiny_path: Path, tmp_path: Path) -> None:
    section = LlmSection(context_tokens=512, threads=1, mmap=False)
    selftest(llm_tiny_path, section, None)
    with pytest.raises(Failed, match="no such file"):
        selftest(tmp_path / "none.gguf", section, None)
