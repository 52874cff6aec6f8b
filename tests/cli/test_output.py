from __future__ import annotations

import io
from datetime import datetime, timedelta, timezone

import pytest

from companion.cli.output import clean, one_line, table, when

NOW = datetime(2026, 10, 7, 15, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=12), "12 min ago"),
        (timedelta(hours=3), "today 12:00"),
        (timedelta(hours=16), "yesterday 23:00"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=40), "2026-08-28"),
        (timedelta(hours=-2), "today 17:00"),
        (timedelta(days=-3), "2026-10-10"),
    ],
)
def test_a_moment_is_told_as_people_do(ago: timedelta, words: str) -> None:
    assert when(NOW - ago, NOW) == words


def test_a_moment_is_told_in_the_readers_zone() -> None:
    said = datetime(2026, 10, 7, 1, 30, tzinfo=timezone(timedelta(hours=9)))
    assert when(said, NOW) == "yesterday 16:30"


def test_what_was_said_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in clean("\x1b[2J\x1b]0;title\x07 hello \u202eolleh")
    assert one_line("two\nlines\x00") == "two lines\N{REPLACEMENT CHARACTER}"


def test_what_looks_like_markup_is_shown_as_it_is() -> None:
    shown = io.StringIO()
    table(("id", "memory"), [(1, "[bold]loud[/bold] [/]")], file=shown)
    assert "[bold]loud[/bold] [/]" in shown.getvalue()
