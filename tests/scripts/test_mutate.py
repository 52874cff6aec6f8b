"""scripts/mutate: its list fits the code, and a mutation is judged by the tests alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mutate
import pytest
from mutate import Mistaken, Mutation

ROOMS = {
    *("safety", "dialog", "recall", "store", "consolidation", "repertoire", "skills", "daemon"),
    *("config", "voice", "phases"),
}

CODE = "def double(n: int) -> int:\n    return 2 * n\n"
TEST = "from companion.sums import double\n\n\ndef test_double():\n    assert double({}) == {}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small repository with a module, a test that sees it, and one that does not."""
    for name, text in (
        ("companion/__init__.py", ""),
        ("companion/sums.py", CODE),
        ("tests/test_sums.py", TEST.format(3, 6)),
        ("tests/test_blind.py", TEST.format(0, 0)),
        ("tests/strangers/sealed/words.txt", "nobody looks here"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def halved(*tests: str) -> Mutation:
    return Mutation("halved", "companion/sums.py", "2 * n", "n", tests)


def test_the_list_is_long_and_every_entry_fits_the_code() -> None:
    mutations = mutate.load()
    assert len(mutations) >= 60
    assert {each.room for each in mutations} >= ROOMS
    for each in mutations:
        compile(each.mutated(mutate.ROOT), each.file, "exec")


def test_a_mutation_is_caught_by_a_test_that_sees_it_in_a_copy(root: Path, tmp_path: Path) -> None:
    tree = mutate.copy_tree(root, tmp_path / "copy")
    assert not (tree / "tests/strangers").exists()
    caught = mutate.judge(halved("tests/test_sums.py"), tree)
    assert (caught.caught, caught.by) == (True, "tests/test_sums.py::test_double")
    assert not mutate.judge(halved("tests/test_blind.py"), tree).caught
    assert (tree / "companion/sums.py").read_text() == CODE
    assert (root / "companion/sums.py").read_text() == CODE


def test_a_mistake_in_the_list_is_one_line(root: Path, tmp_path: Path) -> None:
    entry = "gone: {file: companion/sums.py, old: 3 * n, new: n, tests: tests/test_sums.py}"
    (root / "list.yaml").write_text(entry)
    with pytest.raises(Mistaken, match=r"gone: the old text stands in .* 0 times, not once"):
        mutate.load(root / "list.yaml", root)
    broken = Mutation("broken", "companion/sums.py", "2 * n", "2 *", ("tests/test_sums.py",))
    with pytest.raises(Mistaken, match="broken: its tests do not run"):
        mutate.judge(broken, mutate.copy_tree(root, tmp_path / "copy"))
