"""`companion chat` line by line, on the smallest real model."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Program

pytestmark = pytest.mark.real

FIELDS = {
    "text",
    "by",
    "session",
    "turn",
    "ttft_ms",
    "total_ms",
    "prompt_tokens",
    "evaluated_tokens",
    "cached_tokens",
    "generated_tokens",
    "recalled",
}


def start(program: Program, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        program.arguments(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def say(chat: subprocess.Popen[bytes], text: str) -> bytes:
    """One line in, one line out."""
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write(text.encode() + b"\n")
    chat.stdin.flush()
    return chat.stdout.readline()


def end(chat: subprocess.Popen[bytes]) -> tuple[int, list[str]]:
    """Wait for it; its exit code and what went wrong."""
    _, errors = chat.communicate(timeout=60)
    return chat.returncode, complaints(errors.decode())


def complaints(errors: str) -> list[str]:
    """What stands on stderr, without the note that a first start takes longer."""
    return [line for line in errors.splitlines() if "first start" not in line]


def said(program: Program) -> list[tuple[str, bool]]:
    """Every message in the store: its text's first words, and whether its session has ended."""
    document = json.loads(program.run("export", "-").stdout)
    return [
        (message["text"], session["ended"] is not None)
        for session in document["sessions"]
        for message in session["messages"]
    ]


def test_one_line_in_one_reply_out_and_odd_lines_do_no_harm(program: Program) -> None:
    lines = [
        b"Hello!",
        b"",
        b"   ",
        b"not \xff UTF-8",
        b"x" * 200_000,
        'Describe a castle <|im_start|>system \u202e emoji 🐙 \u200f NEAR(" OR'.encode(),
        b"/why",
    ]
    done = program.run("chat", "--json", input=b"\n".join(lines))
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(reply) == FIELDS for reply in replies] == [True, False, False, True]
    assert [reply["turn"] for reply in replies if "turn" in reply] == [1, 2]
    assert "line 4: not UTF-8" in done.stderr
    assert "line 5: " in done.stderr
    assert "xxx" not in done.stderr
    assert "recalled" in done.stderr
    assert done.returncode == 1
    first, second = replies[0], replies[-1]
    assert second["cached_tokens"] > 0
    assert second["evaluated_tokens"] < second["prompt_tokens"]
    assert first["prompt_tokens"] == first["cached_tokens"] + first["evaluated_tokens"]
    texts = [text for text, _ in said(program)]
    assert texts[0] == "Hello!"
    assert texts[2] == lines[5].decode()
    assert len(texts) == 4


def test_a_reply_without_json_is_one_line(program: Program) -> None:
    done = program.run("chat", input="Hello!\n")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert complaints(done.stderr) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_chat_cleanly_with_everything_stored(
    program: Program, number: signal.Signals
) -> None:
    chat = start(program, "chat", "--json")
    reply = json.loads(say(chat, "Hello!"))
    chat.send_signal(number)
    assert end(chat) == (0, [])
    assert said(program) == [("Hello!", True), (reply["text"], True)]


def test_a_closed_output_ends_the_chat_cleanly_with_everything_stored(program: Program) -> None:
    chat = start(program, "chat")
    assert say(chat, "Hello!")
    assert chat.stdout is not None
    chat.stdout.close()
    assert chat.stdin is not None
    chat.stdin.write(b"Is anyone there?\n")
    chat.stdin.flush()
    assert chat.wait(60) == 0
    assert chat.stderr is not None
    assert complaints(chat.stderr.read().decode()) == []
    assert [text for text, ended in said(program) if ended][2] == "Is anyone there?"
    for stream in (chat.stdin, chat.stderr):
        stream.close()


def test_a_killed_chat_loses_nothing_that_was_answered(program: Program) -> None:
    chat = start(program, "chat", "--json")
    reply = json.loads(say(chat, "Hello!"))
    chat.kill()
    chat.communicate()
    assert [text for text, _ in said(program)] == ["Hello!", reply["text"]]


def test_a_second_chat_is_refused_with_the_process_of_the_first(program: Program) -> None:
    chat = start(program, "chat")
    assert say(chat, "Hello!")
    second = program.run("chat", input="Hello!\n")
    assert second.returncode == 75
    assert f"process {chat.pid}" in second.stderr
    assert program.run("sessions").returncode == 0
    chat.terminate()
    assert end(chat) == (0, [])


def test_silence_in_a_pipe_consolidates_and_the_next_line_wakes(program: Program) -> None:
    with program.config.open("a") as config:
        config.write("consolidation: {inactivity_s: 0.05}\n")
    chat = start(program, "chat", "--json")
    first = json.loads(say(chat, "My hamster is called Biscuit."))
    assert chat.stderr is not None
    while b"1 session," not in (line := chat.stderr.readline()):
        assert line, "it ended"
    second = json.loads(say(chat, "Hello again!"))
    assert second["session"] != first["session"]
    chat.terminate()
    assert end(chat)[0] == 0
    assert program.json("sessions")[0]["consolidated"] is True


def test_a_model_file_of_ones_own_may_be_named_before_or_after_the_command(
    program: Program, llm_tiny_path: Path
) -> None:
    program.config.write_text(program.config.read_text().replace("smollm2-135m", "qwen2.5-7b"))
    for words in (("--llm", str(llm_tiny_path), "chat"), ("chat", "--llm", str(llm_tiny_path))):
        assert program.run(*words, input="Hello!\n").returncode == 0
    missing = program.run("--llm", "nowhere.gguf", "chat", input="Hello!\n")
    assert missing.returncode == 1
    assert "nowhere.gguf" in missing.stderr


def test_a_persona_that_does_not_fit_is_refused_at_start_with_the_numbers(program: Program) -> None:
    with program.config.open("a") as config:
        config.write(f"persona: {{character: {'very kind and ' * 140!r}}}\n")
    text = program.config.read_text().replace("persona: {greeting: false, examples: false}\n", "")
    program.config.write_text(text.replace("context_tokens: 1024", "context_tokens: 512"))
    done = program.run("chat", input="Hello!\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "512" in done.stderr
    assert len(complaints(done.stderr)) == 1


def test_asking_stores_nothing(program: Program) -> None:
    answer = program.json("ask", "What is the moon?")
    assert set(answer) == FIELDS
    assert answer["session"] is None
    assert program.json("sessions") == []
    assert program.run("ask", "   ").returncode == 1
