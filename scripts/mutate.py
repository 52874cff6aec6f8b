"""Hurts the code a little, in a copy, and looks whether a test notices: see scripts/mutate.

A mutation is caught when one of its nearest tests fails. One that keeps the tests from running at
all (exit code 2 and above) is a mistake in the list, as is one whose old text does not stand in its
file exactly once, and tests that fail without any mutation.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_name("mutations.yaml")
KEPT = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "companion" / "mutate.json"
"""Verdicts of earlier runs, by what they depend on."""

LONGEST_S = 120.0
"""Of the tests of one mutation; longer counts as caught: nobody overlooks tests that hang."""

NOT_COPIED = ("tests/strangers/sealed/",)


class Mistaken(Exception):
    """The list, or the tree that it is held against, is wrong. The message is one line."""


@dataclass(frozen=True)
class Mutation:
    """One small change that must not go unnoticed."""

    name: str
    file: str
    old: str
    """Stands in the file exactly once."""

    new: str
    tests: tuple[str, ...]
    """The nearest: files, or single tests, as pytest takes them."""

    @property
    def room(self) -> str:
        """`store` for companion/store/log.py."""
        return self.file.split("/")[1].removesuffix(".py")

    def mutated(self, root: Path) -> str:
        """The file's text with the change. Raises Mistaken."""
        path = root / self.file
        if not path.is_file():
            raise Mistaken(f"{self.name}: {self.file}: no such file")
        text = path.read_text(encoding="utf-8")
        if (times := text.count(self.old)) != 1:
            raise Mistaken(
                f"{self.name}: the old text stands in {self.file} {times} times, not once: "
                "say it anew"
            )
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Verdict:
    """What became of one mutation."""

    name: str
    room: str
    caught: bool
    by: str
    """The first test that failed; "" when it survived."""

    seconds: float


def load(path: Path = LIST, root: Path = ROOT) -> list[Mutation]:
    """The list, every entry of which fits the tree. Raises Mistaken."""
    mutations = []
    for name, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        if set(entry) != {"file", "old", "new", "tests"}:
            raise Mistaken(f"{name}: needs file, old, new and tests, and nothing else")
        tests = tuple(entry["tests"].split())
        mutation = Mutation(name, entry["file"], entry["old"], entry["new"], tests)
        if mutation.mutated(root) == (root / mutation.file).read_text(encoding="utf-8"):
            raise Mistaken(f"{name}: changes nothing")
        for test in tests:
            if not (root / test.partition("::")[0]).exists():
                raise Mistaken(f"{name}: {test}: no such test")
        mutations.append(mutation)
    return mutations


def copy_tree(root: Path, to: Path) -> Path:
    """What git holds or would hold of a tree, without what nobody may look at."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if name.startswith(NOT_COPIED) or not (root / name).is_file():
            continue
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, to / name)
    return to


@contextmanager
def applied(mutation: Mutation, tree: Path) -> Iterator[None]:
    """The copy with this change, until the block ends."""
    path = tree / mutation.file
    before = path.read_text(encoding="utf-8")
    path.write_text(mutation.mutated(tree), encoding="utf-8")
    _uncompile(path)
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")
        _uncompile(path)


def _uncompile(path: Path) -> None:
    """A compiled file is told from its source by size and second alone: too coarse for this."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def run_tests(tree: Path, tests: Sequence[str], *, longest_s: float = LONGEST_S) -> tuple[int, str]:
    """The exit code of these tests in the copy, and the first one that failed."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    process = subprocess.Popen(
        [*command, *tests],
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=longest_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return 1, f"tests that hang ({longest_s:.0f} s)"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    return process.returncode, failed[1] if failed else output.strip().rpartition("\n")[2]


def judge(mutation: Mutation, tree: Path) -> Verdict:
    """Try one. Raises Mistaken when its tests cannot run."""
    began = time.monotonic()
    with applied(mutation, tree):
        code, by = run_tests(tree, mutation.tests)
    if code not in (0, 1):
        raise Mistaken(f"{mutation.name}: its tests do not run (exit code {code}): {by}")
    seconds = round(time.monotonic() - began, 1)
    return Verdict(mutation.name, mutation.room, code == 1, by if code else "", seconds)


def key(mutation: Mutation, root: Path = ROOT) -> str:
    """What a verdict depends on: the mutation, its file, and its tests as they stand."""
    files = [mutation.file, *sorted({test.partition("::")[0] for test in mutation.tests})]
    parts = [json.dumps(asdict(mutation)).encode()]
    parts += [(root / each).read_bytes() for each in files if (root / each).is_file()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _kept() -> dict[str, Any]:
    try:
        found = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(kept: Mapping[str, Any]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    new = KEPT.with_suffix(".new")
    new.write_text(json.dumps(kept), encoding="utf-8")
    os.replace(new, KEPT)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _check_unhurt(tree: Path, tests: Sequence[str]) -> None:
    """Raises Mistaken when one of these tests fails without any mutation."""
    everything = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            everything.update(path.read_bytes())
    name = f"unhurt {' '.join(tests)} {everything.hexdigest()}"
    if name in _kept():
        return
    code, by = run_tests(tree, tests, longest_s=LONGEST_S * 4)
    if code:
        raise Mistaken(f"without any mutation {by} fails (exit code {code})")
    _keep({**_kept(), name: True})


def _judged(mutations: Sequence[Mutation], *, again: bool) -> list[Verdict]:
    """All of them, those that are known already from what was kept. Raises Mistaken."""
    kept = {} if again else _kept()
    known = {m.name: Verdict(**kept[key(m)]) for m in mutations if key(m) in kept}
    left = [m for m in mutations if m.name not in known]
    with tempfile.TemporaryDirectory(prefix="companion-mutate-") as folder:
        tree = copy_tree(ROOT, Path(folder)) if left else Path(folder)
        if left:
            _say(f"{len(known)} known, {len(left)} to try; first their tests without any of them")
            _check_unhurt(tree, sorted({test for m in left for test in m.tests}))
        for number, mutation in enumerate(left, start=1):
            verdict = judge(mutation, tree)
            known[mutation.name] = verdict
            kept = {**_kept(), key(mutation): asdict(verdict)}
            _keep(kept)
            how = f"caught by {verdict.by}" if verdict.caught else "SURVIVES"
            _say(f"[{number}/{len(left)}] {verdict.name}: {how}, {verdict.seconds:.0f} s")
    return [known[m.name] for m in mutations]


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutate", allow_abbrev=False)
    parser.add_argument("--only", action="append", metavar="NAME", help="this one; may be repeated")
    parser.add_argument("--again", action="store_true", help="those that are known, too")
    parser.add_argument("--json", action="store_true", help="one document on stdout")
    options = parser.parse_args()
    try:
        mutations = load()
        if unknown := set(options.only or ()) - {m.name for m in mutations}:
            raise Mistaken(f"no such mutation: {', '.join(sorted(unknown))}")
        if options.only:
            mutations = [m for m in mutations if m.name in options.only]
        verdicts = _judged(mutations, again=options.again)
    except Mistaken as error:
        _say(f"scripts/mutate: {error}")
        return 2
    except KeyboardInterrupt:
        _say("scripts/mutate: stopped; run it again to go on from here")
        return 130
    survivors = [each for each in verdicts if not each.caught]
    if options.json:
        document = {
            "mutations": len(verdicts),
            "caught": len(verdicts) - len(survivors),
            "survivors": [each.name for each in survivors],
            "verdicts": [asdict(each) for each in verdicts],
        }
        print(json.dumps(document, indent=1))
    else:
        for each in survivors:
            print(f"{each.name} ({each.room}) survives")
        print(f"{len(verdicts) - len(survivors)} of {len(verdicts)} mutations caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
