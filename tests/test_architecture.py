"""Imports run one way, heavy libraries stay in the engine room, SQL in the store."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "companion"

# A room or module may import what stands in a row above its own, and its own room. The modules
# of the first row may also import each other.
ROWS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "records", "answering", "clock", "faults", "durable"}),
    frozenset({"config"}),
    frozenset({"language"}),
    frozenset({"engines", "store", "weights"}),
    frozenset({"safety"}),
    frozenset({"acts"}),
    frozenset({"recall"}),
    frozenset({"repertoire", "skills"}),
    frozenset({"dialog", "consolidation"}),
    frozenset({"phases", "assist"}),
    frozenset({"voice"}),
    frozenset({"assembly"}),
    frozenset({"doctor", "evaluation"}),
    frozenset({"parents"}),
    frozenset({"daemon"}),
    frozenset({"web"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
ROW_OF = {room: number for number, row in enumerate(ROWS) for room in row}

ONLY_IN = {
    "engines": {
        "llama_cpp",
        "onnx",
        "onnxruntime",
        "sentence_transformers",
        "tokenizers",
        "torch",
        "transformers",
        "faster_whisper",
        "ctranslate2",
        "piper",
        "pywebrtc_audio",
    },
    "voice": {"sounddevice", "gpiod"},
    "store": {"sqlite3", "sqlite_vec"},
    "web": {"starlette", "uvicorn", "h11"},
}
SOUND = {"soxr"}
SOUND_ROOMS = {"engines", "voice"}
NETWORK = {"aiohttp", "http", "httpx", "requests", "socket", "urllib3"}
# The daemon speaks with this machine only, and the parents' page only listens: tests below look at
# their sockets.
NETWORK_ROOMS = {"engines", "weights", "daemon", "web"}

REACHES_OUT = {
    "create_connection",
    "create_datagram_endpoint",
    "create_server",
    "getaddrinfo",
    "open_connection",
    "start_server",
}

SQL = re.compile(
    r"^\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s"
    r"|CREATE\s+(VIRTUAL\s+)?(TABLE|INDEX|TRIGGER)\s|ALTER\s+TABLE\s|DROP\s+TABLE\s|PRAGMA\s+\w)",
    re.DOTALL,
)

FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """`store` for companion/store/log.py, `config` for companion/config.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every import in a file, wherever it stands: line and dotted name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: import by full name"
            if node.module == "companion":
                yield from ((node.lineno, f"companion.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every string constant in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def may_import(importer: str, imported: str) -> bool:
    if importer == imported:
        return True
    return ROW_OF[imported] < ROW_OF[importer] or (ROW_OF[imported] == ROW_OF[importer] == 0)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_imports_only_what_its_place_allows(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        named = {name for _, name in imports_of(path)}
        assert named <= {"os"}, "importing companion must cost nothing"
        return
    assert room in ROW_OF, f"give {room} its row in {Path(__file__).name}"
    for line, name in imports_of(path):
        where = f"{path.relative_to(PACKAGE.parent)}:{line}"
        library = name.partition(".")[0]
        if library == "companion" and name != "companion.__version__":
            imported = name.partition(".")[2].partition(".")[0]
            assert imported in ROW_OF, f"{where}: unknown room {imported}"
            assert may_import(room, imported), f"{where}: {room} must not import {imported}"
        for owner, libraries in ONLY_IN.items():
            assert library not in libraries or room == owner, f"{where}: {library} is for {owner}"
        if library in SOUND:
            assert room in SOUND_ROOMS, f"{where}: {library} is for {SOUND_ROOMS}"
        if library in NETWORK:
            assert room in NETWORK_ROOMS, f"{where}: {room} must not reach for the network"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_sql_is_written_in_the_store_only(path: Path) -> None:
    if room_of(path) == "store":
        return
    for line, text in strings_of(path):
        assert not SQL.match(text), f"{path.relative_to(PACKAGE.parent)}:{line}: SQL"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_connection_is_handed_on_but_used_by_the_store_only(path: Path) -> None:
    """Other rooms compose the store's steps: they name the connection's type, nothing else."""
    if room_of(path) == "store":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Attribute):
            continue
        where = f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"
        assert node.attr not in ("execute", "executemany", "cursor"), f"{where}: SQL"
        if isinstance(node.value, ast.Name) and node.value.id == "apsw":
            assert node.attr == "Connection", f"{where}: apsw is for store"


def test_the_daemon_opens_sockets_of_this_machine_only() -> None:
    """Families and functions of `socket` and asyncio that the room may name."""
    for path in FILES:
        if room_of(path) != "daemon":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute):
                continue
            where = f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"
            assert not node.attr.startswith("AF_") or node.attr == "AF_UNIX", where
            assert node.attr not in REACHES_OUT, f"{where}: use the one for Unix sockets"


def test_the_parents_page_only_listens() -> None:
    """On one socket, made in one place; it reaches out to nobody."""
    names = set()
    for path in FILES:
        if room_of(path) != "web":
            continue
        imported = {name.partition(".")[0] for _, name in imports_of(path)}
        assert not imported & (NETWORK - {"socket"} | {"ssl"}), path.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in REACHES_OUT | {"connect", "socket"}:
                names.add((path.name, node.attr))
    # `socket.socket(fileno=...)` takes the one that systemd hands over.
    assert names == {("listening.py", "create_server"), ("listening.py", "socket")}


def module_of(path: Path) -> str:
    """`companion.store.log` for companion/store/log.py, `companion.store` for its __init__.py."""
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


def modules_imported_by(path: Path, known: set[str]) -> set[str]:
    """The modules of this package that a file names in an import, wherever it stands: also under
    TYPE_CHECKING and within a function. Of `from package import name` it is the module `name`
    where there is one, else the package itself."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else node.module for name in full}
    return found & known - {module_of(path)}


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other in a circle, each group sorted."""
    reached: dict[str, set[str]] = {}
    for module in imports:
        seen: set[str] = set()
        waiting = list(imports[module])
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                waiting += imports[each]
        reached[module] = seen
    groups = {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in imports
        if module in reached[module]
    }
    return [list(group) for group in sorted(groups)]


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = {module_of(path) for path in FILES}
    imports = {module_of(path): modules_imported_by(path, known) for path in FILES}
    assert circles(imports) == []


def test_at_the_root_stand_only_a_few_modules() -> None:
    allowed = {"__init__", "__main__", "answering", "clock", "durable", "errors", "faults"}
    allowed |= {"phases", "records"}
    assert {path.stem for path in PACKAGE.glob("*.py")} <= allowed


def test_the_rules_see_what_they_forbid(tmp_path: Path) -> None:
    assert not may_import("dialog", "consolidation")
    assert not may_import("consolidation", "dialog")
    assert not may_import("store", "engines")
    assert not may_import("config", "store")
    assert may_import("cli", "assembly")
    file = tmp_path / "late.py"
    file.write_text("def f():\n    import torch.nn\n    from companion import store\n")
    assert list(imports_of(file)) == [(2, "torch.nn"), (3, "companion.store")]
    daemon = PACKAGE / "daemon" / "daemon.py"  # names the loop under TYPE_CHECKING only
    assert modules_imported_by(daemon, {"companion.voice.turns.loop"})
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert SQL.match("SELECT id FROM turns")
    assert SQL.match("\n  INSERT OR IGNORE INTO t VALUES")
    assert not SQL.match("Select a story from the shelf")
