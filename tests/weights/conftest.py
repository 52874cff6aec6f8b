"""Stand-ins for the two places weights come from: a hub on loopback, an index in a folder."""

from __future__ import annotations

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.weights.manifest import Entry, HubFile, Source, WeightFile, WheelPart, Wheels


@dataclass
class Hub:
    """A file server with a hub's addresses, its manners, and faults on demand."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Of every request: path and Range header."""

    cut_after: list[int] = field(default_factory=list)
    """One item for each coming answer that ends early: bytes sent before the cut."""

    statuses: list[int] = field(default_factory=list)
    """One item for each coming request that is answered with this status alone."""

    ranges: bool = True
    """False: always answers with the whole file."""

    wrong_range: bool = False
    pause_s: float = 0.0
    """Between two blocks of 64 KB."""

    def publish(self, name: str, content: bytes) -> HubFile:
        self.files[f"/owner/model/resolve/main/{name}"] = content
        return HubFile(repository="owner/model", revision="main", path=name)


class _Handler(http.server.BaseHTTPRequestHandler):
    hub: Hub

    def do_GET(self) -> None:
        hub = self.hub
        wanted = self.headers.get("Range", "")
        hub.requests.append((self.path, wanted))
        if self.path.startswith("/cdn"):
            content = hub.files.get(self.path.removeprefix("/cdn"))
        else:
            content = hub.files.get(self.path)
        if hub.statuses:
            self._empty(hub.statuses.pop(0))
        elif content is None:
            self._empty(404)
        elif not self.path.startswith("/cdn"):
            # As the real hub does with large files.
            self.send_response(302)
            self.send_header("Location", f"/cdn{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            start, _, last = wanted.removeprefix("bytes=").partition("-")
            self._send(content, int(start or 0), int(last) if last else len(content) - 1)

    def _send(self, content: bytes, start: int, last: int) -> None:
        hub = self.hub
        if not hub.ranges:
            start, last = 0, len(content) - 1
        body = content[start : last + 1]
        self.send_response(206 if hub.ranges else 200)
        if hub.ranges:
            said = start + hub.wrong_range
            self.send_header("Content-Range", f"bytes {said}-{last}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if hub.cut_after:
            self.wfile.write(body[: hub.cut_after.pop(0)])
            self.close_connection = True
            return
        for at in range(0, len(body), 65536):
            self.wfile.write(body[at : at + 65536])
            threading.Event().wait(hub.pause_s)

    def _empty(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that was killed breaks its pipe: expected here."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub on loopback, named to the program as its mirror."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        hub.address = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        yield hub
        server.shutdown()
        thread.join()


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that nobody answers for: port 9 of this machine is closed."""
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")


class Index:
    """A folder of wheels, the only index that pip may ask."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def publish(self, name: str, member: str, content: bytes) -> WheelPart:
        """Put a wheel with one data file on the index; importing it would be noticed."""
        module = name.replace("-", "_")
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        with zipfile.ZipFile(self.path(name), "a", zipfile.ZIP_DEFLATED) as archive:
            if f"{module}/__init__.py" not in archive.namelist():
                archive.writestr(f"{module}/__init__.py", "raise SystemExit('was imported')\n")
                archive.writestr(f"{module}-1.0.dist-info/METADATA", metadata)
                archive.writestr(f"{module}-1.0.dist-info/WHEEL", wheel)
                archive.writestr(f"{module}-1.0.dist-info/RECORD", "")
            archive.writestr(member, content)
        return WheelPart(package=f"{name}==1.0", member=member, size=len(content))

    def path(self, name: str) -> Path:
        return self.directory / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"

    def remove(self, name: str) -> None:
        self.path(name).unlink()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    directory = tmp_path / "index"
    directory.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(directory))
    return Index(directory)


@pytest.fixture
def models_dir(tmp_path: Path) -> Path:
    return tmp_path / "models"


def weight(name: str, content: bytes, *sources: Source) -> WeightFile:
    """A manifest's record of a file with this content."""
    digest = hashlib.sha256(content).hexdigest()
    return WeightFile(name=name, size=len(content), sha256=digest, sources=sources)


def entry(*files: WeightFile, name: str = "toy") -> Entry:
    return Entry(
        name=name,
        title="Toy model",
        role="llm",
        licence="Apache-2.0",
        licence_url="https://example.org/licence",
        files=files,
    )


def wheels(*parts: WheelPart) -> Wheels:
    return Wheels(parts=parts)


class Recorder:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.positions: list[int] = []
        self.started: list[str] = []
        self.ended = 0

    def note(self, text: str) -> None:
        self.notes.append(text)

    def start(self, file: str, total: int) -> None:
        self.started.append(file)

    def at(self, done: int) -> None:
        self.positions.append(done)

    def end(self) -> None:
        self.ended += 1
