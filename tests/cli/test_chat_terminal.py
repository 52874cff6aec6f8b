"""`companion chat` at a keyboard: a real pseudo-terminal, the smallest real model."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import config
from tests.cli.conftest import Program

pytestmark = pytest.mark.real

# Makes the pseudo-terminal the controlling one, so that Ctrl-C becomes SIGINT as for a person.
AT_THE_KEYBOARD = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
CTRL_C, CTRL_D = "\x03", "\x04"
PROMPT = "you ›"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")


class Keyboard:
    """Types into a program and reads its screen."""

    def __init__(self, arguments: list[str], home: Path) -> None:
        self._master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_THE_KEYBOARD, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
        )
        os.close(slave)
        self._unread = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def expect(self, pattern: str, timeout_s: float = 120) -> str:
        """Read on until the pattern appears; what came before and with it."""
        deadline = time.monotonic() + timeout_s
        while (found := re.search(pattern, self._unread)) is None:
            ready, _, _ = select.select([self._master], [], [], deadline - time.monotonic())
            assert ready, f"{pattern!r} never came after: {self._unread[-400:]!r}"
            try:
                data = os.read(self._master, 4096)
            except OSError:  # how Linux says that the other side has gone
                data = b""
            assert data, f"ended before {pattern!r}: {self._unread[-400:]!r}"
            self._unread = _ESCAPES.sub("", self._unread + data.decode("utf-8", "ignore"))
        seen, self._unread = self._unread[: found.end()], self._unread[found.end() :]
        return seen

    def leave(self) -> int:
        """Read to the end; the exit code."""
        with contextlib.suppress(AssertionError):
            self.expect("(?!)", timeout_s=60)
        return self.process.wait(60)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def chat(program: Program, tmp_path: Path) -> Iterator[Keyboard]:
    """A chat whose model would talk for long, unless it is stopped; nothing written is said."""
    text = program.config.read_text().replace(
        "reply_tokens: 16", "reply_tokens: 400, sentences: 20"
    )
    written = "repertoire: {enabled: false}\n"
    program.config.write_text(f"models_dir: {config.load().models_dir}\n{written}{text}")
    home = tmp_path / "home"
    home.mkdir()
    keyboard = Keyboard(program.arguments("chat"), home)
    yield keyboard
    keyboard.close()


def test_a_conversation_at_the_keyboard(chat: Keyboard, program: Program, tmp_path: Path) -> None:
    chat.expect(PROMPT)
    for keys, shown in (
        ("/help\r", "/sleep +go inactive now"),
        ("/why\r", "Nothing was recalled"),
        ("/memory\r", "Nothing is remembered yet"),
        ("/profile\r", "nothing is known yet"),
        ("/nonsense\r", "no such command"),
        ("\r", PROMPT),
    ):
        chat.type(keys)
        chat.expect(shown)
    chat.type("Explain to me how a big ship is built.\r")
    chat.expect("Pip › ")
    chat.expect(r"[.!?] ")
    chat.type(CTRL_C)
    chat.expect(PROMPT)
    chat.type(CTRL_C)
    assert chat.leave() == 0
    [session] = json.loads(program.run("export", "-").stdout)["sessions"]
    asked, answered = session["messages"]
    assert asked["text"] == "Explain to me how a big ship is built."
    assert answered["cut"] is True
    assert session["ended"] is not None
    assert list((tmp_path / "home").iterdir()) == []


def test_sleep_consolidates_and_ctrl_d_leaves(chat: Keyboard, program: Program) -> None:
    chat.expect(PROMPT)
    chat.type("Hello!\r")
    chat.expect(r"Pip › .*[.!?] ")
    chat.type(CTRL_C)
    chat.expect(PROMPT)
    chat.type("/sleep\r")
    deadline = time.monotonic() + 120
    while not program.json("sessions")[0]["consolidated"]:
        assert time.monotonic() < deadline
    chat.type(CTRL_D)
    assert chat.leave() == 0


def test_ctrl_c_at_an_empty_prompt_warns_first(chat: Keyboard) -> None:
    chat.expect(PROMPT)
    chat.type(CTRL_C)
    chat.expect("Ctrl-C again")
    chat.type(CTRL_C)
    assert chat.leave() == 0


def test_sigterm_in_the_middle_of_a_reply_stores_what_was_said(
    chat: Keyboard, program: Program
) -> None:
    chat.expect(PROMPT)
    chat.type("Explain to me how a big ship is built.\r")
    chat.expect(r"Pip › .*[.!?] ")
    chat.process.terminate()
    assert chat.leave() == 0
    [session] = json.loads(program.run("export", "-").stdout)["sessions"]
    assert [message["cut"] for message in session["messages"]] == [False, True]
    assert session["ended"] is not None
