"""One daemon that lives through a day: asked, annoyed, put to sleep, killed, started again."""

from __future__ import annotations

import contextlib
import json
import signal
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.conftest import PATIENCE_S, Daemon, Home, said

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    # Deeper than the 108 bytes of a socket's address.
    home = Home(tmp_path_factory.mktemp("home") / ("deep" * 30))
    home_notify = Home(tmp_path_factory.mktemp("short"))
    home_notify.data_dir = home.data_dir
    with home_notify.daemon() as daemon:
        daemon.wait_for("STATUS=loading the language model")
        daemon.wait_for("READY=1")
        yield daemon


def test_status_says_what_is_there_and_what_is_missing(daemon: Daemon) -> None:
    status = daemon.ask("status")
    assert status["running"]
    assert status["phase"] == "asleep"
    assert status["models"] == {
        "active": "smollm2-135m",
        "inactive": "smollm2-135m",
        "embedder": "minilm-int8",
    }
    assert status["voice"] is None
    assert any("can't hear" in line for line in status["missing"])
    document = json.loads(daemon.home.run("status", "--json").stdout)
    assert document.keys() == status.keys()
    shown = daemon.home.run("status").stdout
    assert f"runs as process {daemon.process.pid}" in shown


def test_the_socket_is_for_owner_and_group(daemon: Daemon) -> None:
    mode = (daemon.home.data_dir / "control.sock").stat().st_mode
    assert stat.S_IMODE(mode) == 0o660


def test_a_reply_comes_sentence_by_sentence_then_its_turn(daemon: Daemon) -> None:
    *sentences, last = daemon.events("chat", text="Hello!")
    turn = last["done"]
    assert " ".join(event["sentence"] for event in sentences) == turn["text"]
    assert turn["turn"] == 1
    assert daemon.ask("status")["phase"] == "awake"


def test_chat_beside_the_daemon_talks_through_it(daemon: Daemon) -> None:
    done = daemon.home.run(
        "chat", "--json", input="Hello again!\n/memory\n/profile\n/why\n" + "x" * 20_000 + "\n"
    )
    reply, refused = (json.loads(line) for line in done.stdout.splitlines())
    assert reply["turn"] == 2
    assert "characters" in refused["error"]
    assert "Nothing is remembered yet." in done.stderr
    assert "nothing is known yet" in done.stderr
    assert "recalled" in done.stderr
    assert "xxx" not in done.stderr


@pytest.mark.parametrize(
    "line",
    [b"x" * (1 << 20), b"\xff\xfe", b"[1, 2]", b"[" * 100_000, b'{"do": "fly"}', b'{"do": "chat"}'],
    ids=["a megabyte", "not UTF-8", "no object", "deep", "unknown", "without words"],
)
def test_a_line_that_is_no_request_is_refused(daemon: Daemon, line: bytes) -> None:
    with daemon.connection() as client, client.makefile("rb") as answers:
        answers.readline()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has read enough
            client.sendall(line + b"\n")
        answer = json.loads(answers.readline())
        assert answer["kind"] == "InputError"
        with contextlib.suppress(ConnectionResetError):  # it hung up before it had read the rest
            assert answers.readline() == b""


def test_who_neither_asks_nor_reads_holds_nobody_up(daemon: Daemon) -> None:
    with daemon.connection(), daemon.connection() as silent:
        silent.sendall(b'{"do": "chat", "text": "Tell me a story."}\n')
        assert daemon.ask("chat", text="And me?")["text"]


def test_so_many_clients_are_served_and_no_more(daemon: Daemon) -> None:
    deadline = time.monotonic() + PATIENCE_S
    with contextlib.ExitStack() as stack:
        served = 0
        # A client that another test has just closed may still be among them for a moment.
        while served < 16:
            assert time.monotonic() < deadline
            client = stack.enter_context(daemon.connection())
            served += "kind" not in json.loads(client.makefile().readline())
        for _ in range(3):
            client = stack.enter_context(daemon.connection())
            assert json.loads(client.makefile().readline())["kind"] == "StoreBusy"
    greeting: dict[str, object] = {}
    while "pid" not in greeting:
        assert time.monotonic() < deadline, "clients that went are still counted"
        with daemon.connection() as client:
            greeting = json.loads(client.makefile().readline())


def test_closing_the_connection_stops_the_reply(daemon: Daemon) -> None:
    with daemon.connection() as client, client.makefile("rb") as answers:
        answers.readline()
        client.sendall(b'{"do": "chat", "text": "Count to a thousand."}\n')
    turn = daemon.ask("chat", text="Are you still there?")
    assert turn["turn"] > 2


def test_a_second_daemon_names_the_first(daemon: Daemon) -> None:
    second = daemon.home.run("run")
    assert second.returncode == 75
    assert f"process {daemon.process.pid}" in second.stderr


def test_a_voice_that_is_not_there_is_an_error_that_says_so(daemon: Daemon) -> None:
    for request in ({"do": "pause"}, {"do": "resume"}, {"do": "say", "text": "Hello"}):
        (answer,) = daemon.events(**request)
        assert answer["kind"] == "DaemonError"
    done = daemon.home.run("pause")
    assert done.returncode == 1
    assert "`companion status` says why" in done.stderr


def test_it_sleeps_learns_and_is_woken_in_the_middle(daemon: Daemon) -> None:
    daemon.ask("sleep")
    daemon.wait_for_phase("consolidating")
    assert daemon.ask("chat", text="Wake up, please!")["text"]
    status = daemon.ask("status")
    assert status["phase"] == "awake"
    assert status["memory"]["waiting"] == 2
    daemon.ask("sleep")
    daemon.wait_for_phase("consolidating")
    daemon.ask("wake")
    assert daemon.ask("status")["phase"] == "asleep"


def test_what_was_said_is_in_no_log(daemon: Daemon) -> None:
    log = daemon.log.read_text()
    assert log
    for words in ("Hello", "story", "thousand", "please"):
        assert words not in log


def test_a_socket_that_was_left_behind_is_replaced_and_the_next_stop_is_clean(
    daemon: Daemon, tmp_path: Path
) -> None:
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait()
    socket = daemon.home.data_dir / "control.sock"
    assert socket.exists()
    assert "does not run" in daemon.home.run("status").stdout
    again = Home(tmp_path)
    again.data_dir = daemon.home.data_dir
    with again.daemon() as second:
        second.wait_for("READY=1")
        assert second.ask("chat", text="Back again.")["text"]
        code, seconds = second.stop()
    assert code == 0
    assert seconds < 6
    assert not socket.exists()
    messages = said(again)
    assert ("user", "Back again.", True) in messages
    assert all(ended for _, _, ended in messages)
