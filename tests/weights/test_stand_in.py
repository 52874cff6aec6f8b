"""A stand-in is fetched where the hub cannot be reached, said in one line; and nobody is asked
where the files are here. A local server stands for the hub, a folder of wheels for the index."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.app import main
from companion.config import LlmSection
from companion.errors import FetchError
from companion.weights import hub as hub_module
from companion.weights.fetch import Closed, fetch
from companion.weights.located import model_file, model_name
from companion.weights.manifest import Entry, Manifest
from companion.weights.reachable import to_fetch
from companion.weights.stand_in import in_use
from companion.weights.verify import present
from tests.weights.conftest import Hub, Index, Recorder, entry, weight, wheels

TWIN = random.Random(3).randbytes(200_000)
CODER = random.Random(4).randbytes(200_000)


@pytest.fixture
def manifest(index: Index) -> Manifest:
    """A model that only the hub has, and its stand-in, which the hub and the index have."""
    source = Hub().publish("twin.gguf", TWIN)
    part = index.publish("toy-coder", "toy_coder/part.bin", CODER)
    other = Hub().publish("coder.gguf", CODER)
    twin = entry(weight("twin.gguf", TWIN, source), name="twin")
    coder = entry(weight("coder.gguf", CODER, other, wheels(part)), name="coder")
    return Manifest({"twin": twin.model_copy(update={"stand_in": "coder"}), "coder": coder})


def bring(manifest: Manifest, models_dir: Path, name: str = "twin") -> tuple[Entry, list[str]]:
    """As `companion models fetch` does for what a configuration names: the entry that came, and
    what was said of sources."""
    recorder, closed = Recorder(), Closed()
    found = to_fetch(manifest[name], manifest, models_dir, recorder, closed)
    fetch(found, models_dir, recorder, closed)
    return found, [note for note in recorder.notes if not note.startswith("Fetching")]


def test_where_the_hub_can_be_reached_the_model_itself_comes(
    hub: Hub, manifest: Manifest, models_dir: Path
) -> None:
    hub.publish("twin.gguf", TWIN)
    found, said = bring(manifest, models_dir)
    assert (found.name, said) == ("twin", [])
    assert (models_dir / "twin" / "twin.gguf").read_bytes() == TWIN
    assert not (models_dir / "coder").exists()
    assert in_use(manifest["twin"], manifest, models_dir) is manifest["twin"]


def test_where_only_the_index_can_the_stand_in_comes_and_one_line_says_so(
    no_hub: None, manifest: Manifest, models_dir: Path
) -> None:
    found, said = bring(manifest, models_dir)
    assert found.name == "coder"
    assert (models_dir / "coder" / "coder.gguf").read_bytes() == CODER
    assert len(said) == 1, "the hub is not tried again for the stand-in's own file"
    assert "127.0.0.1 cannot be reached" in said[0]
    assert "coder stands in for twin" in said[0]
    assert "companion models fetch twin" in said[0]
    assert in_use(manifest["twin"], manifest, models_dir) is manifest["coder"]


@pytest.mark.parametrize("here", ["twin", "coder"])
def test_with_the_files_here_nobody_is_asked(
    hub: Hub, manifest: Manifest, models_dir: Path, here: str
) -> None:
    hub.publish("twin.gguf", TWIN)
    folder = models_dir / here
    folder.mkdir(parents=True)
    (folder / f"{here}.gguf").write_bytes({"twin": TWIN, "coder": CODER}[here])
    found, said = bring(manifest, models_dir)
    assert (found.name, said, hub.requests) == (here, [], [])


def test_the_model_itself_takes_over_once_it_was_fetched_by_name(
    hub: Hub, manifest: Manifest, models_dir: Path
) -> None:
    hub.publish("coder.gguf", CODER)
    hub.publish("twin.gguf", TWIN)
    fetch(manifest["coder"], models_dir)
    fetch(manifest["twin"], models_dir)
    assert in_use(manifest["twin"], manifest, models_dir).name == "twin"


@pytest.mark.parametrize("status", [401, 403, 404, 503])
def test_a_hub_that_refuses_the_file_leads_to_the_stand_in_with_its_reason(
    hub: Hub, manifest: Manifest, models_dir: Path, status: int
) -> None:
    hub.statuses = [status]
    hub.publish("coder.gguf", CODER)
    found, said = bring(manifest, models_dir)
    assert found.name == "coder"
    assert f"answers {status}" in said[0]


def test_a_page_in_place_of_the_file_is_no_hub(
    hub: Hub, manifest: Manifest, models_dir: Path
) -> None:
    """As the log-in page of a hotel's network."""
    hub.ranges = False
    hub.publish("twin.gguf", b"<html>Please accept our terms.</html>")
    hub.publish("coder.gguf", CODER)
    assert bring(manifest, models_dir)[0].name == "coder"


def test_a_hub_without_ranges_is_one(hub: Hub, manifest: Manifest, models_dir: Path) -> None:
    hub.ranges = False
    hub.publish("twin.gguf", TWIN)
    assert bring(manifest, models_dir)[0].name == "twin"


def test_a_download_that_is_cut_is_no_reason_for_a_stand_in(
    hub: Hub, manifest: Manifest, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of it is here: the next try goes on, and no second gigabyte is fetched."""
    monkeypatch.setattr(hub_module, "_PAUSES_S", ())
    hub.publish("twin.gguf", TWIN)
    hub.cut_after = [1, 100_000, 0]
    with pytest.raises(FetchError, match="companion models fetch twin"):
        bring(manifest, models_dir)
    assert not (models_dir / "coder").exists()
    assert bring(manifest, models_dir)[0].name == "twin"


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hub that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")
        yield


def test_a_hub_that_never_answers_costs_a_few_seconds_once(
    silent: None, manifest: Manifest, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module.probe, "__defaults__", (0.3,))
    assert hub_module.PROBE_S <= 3
    began = time.monotonic()
    found, said = bring(manifest, models_dir)
    assert found.name == "coder"
    assert len(said) == 1
    assert time.monotonic() - began < 10, "pip takes most of it"


def test_a_look_up_that_hangs_is_not_waited_for(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No timeout of a socket ends it."""
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    let_go = threading.Event()

    def look_up(*_: object, **__: object) -> None:
        let_go.wait(5)
        raise socket.gaierror("no name server")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    file = manifest["twin"].files[0]
    began = time.monotonic()
    with pytest.raises(hub_module.HubUnreachable, match=r"hub\.example cannot be reached"):
        hub_module.probe(file.sources[0], file.size, 0.2)  # type: ignore[arg-type]
    assert time.monotonic() - began < 2
    let_go.set()
    for thread in threading.enumerate():
        if thread.name == "probe of the hub":
            thread.join()


def test_without_hub_and_index_the_failure_names_the_stand_in(
    no_hub: None, index: Index, manifest: Manifest, models_dir: Path
) -> None:
    index.remove("toy-coder")
    with pytest.raises(FetchError, match="companion models fetch coder"):
        bring(manifest, models_dir)


def test_what_is_asked_for_by_name_has_no_stand_in(
    no_hub: None, manifest: Manifest, models_dir: Path
) -> None:
    with pytest.raises(FetchError, match="cannot be reached"):
        fetch(manifest["twin"], models_dir)


def test_a_file_that_is_cut_is_not_in_place(manifest: Manifest, models_dir: Path) -> None:
    (models_dir / "twin").mkdir(parents=True)
    (models_dir / "twin" / "twin.gguf").write_bytes(TWIN[:-1])
    assert not present(manifest["twin"], models_dir)
    assert not present(manifest["coder"], models_dir)


def test_a_start_loads_what_is_here_under_its_own_name(
    manifest: Manifest, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Manifest, "load", classmethod(lambda cls, path=None: manifest))
    section = LlmSection(model="twin")
    (models_dir / "coder").mkdir(parents=True)
    (models_dir / "coder" / "coder.gguf").write_bytes(CODER)
    assert model_file(section, models_dir) == models_dir / "coder" / "coder.gguf"
    assert model_name(section, models_dir) == "coder"
    assert model_name(LlmSection(file=Path("/x/mine.gguf")), models_dir) == "mine"
    server = LlmSection(backend="openai", url="http://127.0.0.1:1/v1", model="theirs")
    assert model_name(server, models_dir) == "theirs"


CONFIG = """profile: plain
models_dir: {models_dir}
profiles: {{plain: {{}}}}
llm: {{active: {{model: twin}}}}
embedder: {{directory: /nowhere}}
stt: {{directory: /nowhere}}
tts: {{directory: /nowhere}}
"""


@pytest.mark.parametrize("there", [True, False])
def test_the_command_that_set_up_runs_says_what_came_and_asks_once(
    hub: Hub,
    manifest: Manifest,
    models_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    there: bool,
) -> None:
    monkeypatch.setattr(Manifest, "load", classmethod(lambda cls, path=None: manifest))
    if there:
        hub.publish("twin.gguf", TWIN)
    else:
        monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG.format(models_dir=models_dir))
    came = "twin" if there else "coder"
    for time_of_day in ("set-up", "every start after it"):
        assert main(["--config", str(file), "models", "fetch"]) == 0
        said = capfd.readouterr()
        assert said.out == f"{came}: in place, {models_dir / came}\n"
        first = time_of_day == "set-up"
        assert said.err.count("stands in for") == (first and not there)
        assert (said.err == "") == (not first)
        assert len(hub.requests) == (4 if there and first else 0), "the probe and the file"
        hub.requests.clear()


def test_the_shipped_twin_has_a_stand_in_that_the_index_carries() -> None:
    shipped = Manifest.load()
    twin = shipped["qwen2.5-1.5b"]
    assert {source.kind for source in twin.files[0].sources} == {"hub"}
    other = shipped[str(twin.stand_in)]
    assert "wheels" in {source.kind for source in other.files[0].sources}
    assert other.stand_in is None
