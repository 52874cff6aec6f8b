"""Fetching from a hub: resumed, verified, and honest about every way it can go wrong."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.errors import FetchError
from companion.weights.fetch import fetch
from tests.weights.conftest import Hub, Index, Recorder, entry, weight, wheels

CONTENT = random.Random(1).randbytes(300_000)
OTHER = random.Random(2).randbytes(300_000)


def test_a_file_arrives_whole_and_is_not_fetched_again(hub: Hub, models_dir: Path) -> None:
    toy = entry(weight("toy.gguf", CONTENT, hub.publish("toy.gguf", CONTENT)))
    fetch(toy, models_dir)
    assert (models_dir / "toy" / "toy.gguf").read_bytes() == CONTENT
    assert not list(models_dir.rglob("*.partial"))
    before = len(hub.requests)
    fetch(toy, models_dir)
    assert len(hub.requests) == before


def test_the_licence_and_the_place_are_said_before_the_first_byte(
    hub: Hub, models_dir: Path
) -> None:
    recorder = Recorder()
    fetch(entry(weight("a", CONTENT, hub.publish("a", CONTENT))), models_dir, recorder)
    assert "Licence: Apache-2.0, https://example.org/licence" in recorder.notes[0]
    assert str(models_dir / "toy") in recorder.notes[0]
    assert recorder.positions[-1] == len(CONTENT)
    assert recorder.ended == 1


def test_a_cut_connection_goes_on_where_it_stopped(hub: Hub, models_dir: Path) -> None:
    hub.cut_after = [100_000, 50_000]
    fetch(entry(weight("a", CONTENT, hub.publish("a", CONTENT))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT
    asked = [asked for path, asked in hub.requests if path.startswith("/cdn")]
    assert asked == ["bytes=0-", "bytes=100000-", "bytes=150000-"]


def test_what_an_earlier_process_left_is_kept(hub: Hub, models_dir: Path) -> None:
    (models_dir / "toy").mkdir(parents=True)
    (models_dir / "toy" / "a.partial").write_bytes(CONTENT[:123_456])
    fetch(entry(weight("a", CONTENT, hub.publish("a", CONTENT))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT
    assert {asked for _, asked in hub.requests} == {"bytes=123456-"}


def test_a_server_that_knows_no_ranges_starts_over(hub: Hub, models_dir: Path) -> None:
    hub.ranges = False
    hub.cut_after = [100_000]
    fetch(entry(weight("a", CONTENT, hub.publish("a", CONTENT))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT


@pytest.mark.slow
def test_a_busy_hub_is_asked_again(hub: Hub, models_dir: Path) -> None:
    hub.statuses = [503, 429]
    fetch(entry(weight("a", CONTENT, hub.publish("a", CONTENT))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT


def test_wrong_content_is_refused_with_both_hashes(hub: Hub, models_dir: Path) -> None:
    toy = entry(weight("a", CONTENT, hub.publish("a", OTHER)))
    with pytest.raises(FetchError) as caught:
        fetch(toy, models_dir)
    message = str(caught.value)
    assert hashlib.sha256(CONTENT).hexdigest() in message
    assert hashlib.sha256(OTHER).hexdigest() in message
    assert str(models_dir / "toy" / "a") in message
    assert "companion models fetch toy" in message
    assert not (models_dir / "toy" / "a").exists()
    assert not list(models_dir.rglob("*.partial")), "a wrong prefix must not be continued"


def test_a_damaged_partial_file_does_not_stop_the_next_try(hub: Hub, models_dir: Path) -> None:
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT)))
    (models_dir / "toy").mkdir(parents=True)
    (models_dir / "toy" / "a.partial").write_bytes(OTHER[:1000])
    with pytest.raises(FetchError, match="wrong content"):
        fetch(toy, models_dir)
    fetch(toy, models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT


@pytest.mark.parametrize(("status", "words"), [(404, "does not have it"), (403, "refuses it")])
def test_a_refusal_names_address_and_status(
    hub: Hub, models_dir: Path, status: int, words: str
) -> None:
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT)))
    hub.statuses = [status]
    with pytest.raises(FetchError, match=rf"/owner/model/resolve/main/a: .* {status}: {words}"):
        fetch(toy, models_dir)


def test_a_file_longer_than_the_manifest_says_is_not_written_out(
    hub: Hub, models_dir: Path
) -> None:
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT + OTHER)))
    with pytest.raises(FetchError, match="longer than the manifest's 300,000 bytes"):
        fetch(toy, models_dir)
    assert sum(f.stat().st_size for f in models_dir.rglob("*") if f.is_file()) < len(CONTENT)


def test_another_range_than_asked_for_is_refused(hub: Hub, models_dir: Path) -> None:
    hub.wrong_range = True
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT)))
    with pytest.raises(FetchError, match="another range"):
        fetch(toy, models_dir)


def test_a_hub_that_cannot_be_reached_is_tried_once_and_wheels_serve(
    no_hub: None, index: Index, models_dir: Path
) -> None:
    source = Hub().publish("a", CONTENT)
    part = index.publish("toy-a", "toy_a/data.bin", CONTENT)
    other = index.publish("toy-a", "toy_a/more.bin", OTHER)
    toy = entry(
        weight("a", CONTENT, source, wheels(part)), weight("b", OTHER, source, wheels(other))
    )
    recorder = Recorder()
    fetch(toy, models_dir, recorder)
    assert (models_dir / "toy" / "b").read_bytes() == OTHER
    assert sum("127.0.0.1 cannot be reached" in note for note in recorder.notes) == 1


def test_wheels_go_on_from_what_the_hub_brought(hub: Hub, index: Index, models_dir: Path) -> None:
    """A partial file is a prefix of the true one, whoever brought it."""
    first = index.publish("toy-a", "toy_a/1.bin", CONTENT[:100_000])
    second = index.publish("toy-b", "toy_b/2.bin", CONTENT[100_000:])
    index.remove("toy-a")
    (models_dir / "toy").mkdir(parents=True)
    (models_dir / "toy" / "a.partial").write_bytes(CONTENT[:120_000])
    hub.statuses = [404]
    source = hub.publish("a", CONTENT)
    fetch(entry(weight("a", CONTENT, source, wheels(first, second))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT


def test_only_what_is_missing_or_wrong_is_fetched(hub: Hub, models_dir: Path) -> None:
    toy = entry(
        weight("good", CONTENT, hub.publish("good", CONTENT)),
        weight("sub/bad", OTHER, hub.publish("sub/bad", OTHER)),
    )
    fetch(toy, models_dir)
    hub.requests.clear()
    (models_dir / "toy" / "sub" / "bad").write_bytes(OTHER[:-1] + b"x")
    fetch(toy, models_dir)
    assert (models_dir / "toy" / "sub" / "bad").read_bytes() == OTHER
    assert {path.rpartition("/")[2] for path, _ in hub.requests} == {"bad"}


def test_too_little_disk_space_is_said_before_anything_is_asked(hub: Hub, models_dir: Path) -> None:
    source = hub.publish("a", CONTENT)
    vast = weight("a", CONTENT, source).model_copy(update={"size": 10**16})
    with pytest.raises(FetchError, match=r"MB are needed and .* MB are free; free some, or set"):
        fetch(entry(vast), models_dir)
    assert hub.requests == []


def test_a_folder_that_cannot_be_made_is_one_line(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way")
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT)))
    with pytest.raises(FetchError, match=r"models/toy: Not a directory; is models_dir writable"):
        fetch(toy, tmp_path / "models")


def test_two_at_once_fetch_it_once(hub: Hub, models_dir: Path) -> None:
    hub.pause_s = 0.05
    toy = entry(weight("a", CONTENT, hub.publish("a", CONTENT)))
    recorder = Recorder()
    threads = [threading.Thread(target=fetch, args=(toy, models_dir, recorder)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (models_dir / "toy" / "a").read_bytes() == CONTENT
    assert len([path for path, _ in hub.requests if path.startswith("/cdn")]) == 1
    assert any("another process is fetching" in note for note in recorder.notes)


def test_a_killed_fetch_is_finished_by_the_next(hub: Hub, models_dir: Path) -> None:
    big = random.Random(3).randbytes(2_000_000)
    toy = entry(weight("a", big, hub.publish("a", big)))
    hub.pause_s = 0.05
    program = (
        "import sys; from pathlib import Path;"
        "from companion.weights.manifest import Entry; from companion.weights.fetch import fetch;"
        "fetch(Entry.model_validate_json(sys.argv[1]), Path(sys.argv[2]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, toy.model_dump_json(), str(models_dir)], env=os.environ
    )
    partial = models_dir / "toy" / "a.partial"
    deadline = time.monotonic() + 60
    while not (partial.exists() and partial.stat().st_size > 200_000):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (models_dir / "toy" / "a").exists()
    hub.pause_s = 0
    hub.requests.clear()
    fetch(toy, models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == big
    assert int(hub.requests[0][1].removeprefix("bytes=").rstrip("-")) > 200_000
