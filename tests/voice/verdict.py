"""What a scenario must come to, held against what came of it."""

from __future__ import annotations

from pathlib import Path

from companion.voice.turns.report import VoiceTurn
from tests.voice.cast import Engines
from tests.voice.play import Played, play
from tests.voice.scenario import Expect, Scenario, Turn, word_errors


async def comes_true(scenario: Scenario, engines: Engines, data_dir: Path) -> None:
    """Play it; fails with everything that did not come as it should."""
    played = await play(scenario, engines, data_dir)
    report = "\n".join(map(str, played.outcomes)) + f"\naloud: {played.spoken}"
    assert all(act.began is not None for act in played.room.acts), f"a cue never came\n{report}"
    assert not (wrong := _wrong(scenario.expect, played)), "\n".join([*wrong, report])


def _wrong(expect: Expect, played: Played) -> list[str]:
    """What did not come as it should."""
    wrong: list[str] = []

    def must(holds: bool, text: str) -> None:
        if not holds:
            wrong.append(text)

    must(len(played.turns) == len(expect.turns), f"{len(played.turns)} turns")
    for turn, wanted in zip(played.turns, expect.turns, strict=False):
        wrong += _wrong_turn(wanted, turn)
    if expect.unanswered is not None:
        must(played.unanswered == list(expect.unanswered), f"unanswered: {played.unanswered}")
    else:
        must(set(played.unanswered) <= set(expect.only), f"unanswered: {played.unanswered}")
    aloud = " ".join(played.spoken)
    at = 0
    for piece in expect.spoken:
        found = aloud.find(piece, at)
        must(found >= 0, f"not said: {piece}")
        at = max(at, found)
    for piece in expect.never_spoken:
        must(piece not in aloud, f"said: {piece}")
    last = played.room.acts[-1]
    if expect.quiet_ms is not None:
        quiet = played.room.quiet_after_ms(last)
        must(0 < quiet <= expect.quiet_ms, f"quiet after {quiet:.0f} ms")
    if expect.goes_on:
        must(any(played.room.loud[(last.began or 0) + last.frames :]), "silent in the end")
    if expect.log is not None:
        wrong += _wrong_log(expect, played)
    if expect.consolidated is not None:
        must((played.consolidations > 0) == expect.consolidated, "consolidated or not")
    must(len(played.memories) == expect.memories, f"{len(played.memories)} memories")
    return wrong


def _wrong_turn(wanted: Turn, turn: VoiceTurn) -> list[str]:
    errors, words = word_errors(wanted.heard, turn.heard)
    wrong = [] if errors <= wanted.word_error * words else [f"heard: {turn.heard}"]
    if wanted.cut != turn.cut:
        wrong.append(f"cut: {turn.cut}")
    if wanted.said is not None and not _is(wanted.said, turn.said):
        wrong.append(f"said: {turn.said}")
    return wrong


def _wrong_log(expect: Expect, played: Played) -> list[str]:
    kept = [
        (
            turn.user.text if turn.user else "",
            turn.reply.text if turn.reply else "",
            bool(turn.reply and turn.reply.cut),
        )
        for turn in played.log
    ]
    wanted = list(expect.log or ())
    fits = len(kept) == len(wanted) and all(
        piece.casefold() in user.casefold() and _is(reply, said) and cut == was_cut
        for (piece, reply, cut), (user, said, was_cut) in zip(wanted, kept, strict=True)
    )
    return [] if fits else [f"log: {kept}"]


def _is(wanted: str, text: str) -> bool:
    """The same; a beginning of it, but not all, when `wanted` ends with an ellipsis."""
    if wanted.endswith("..."):
        return bool(text) and text != wanted[:-3] and text.startswith(wanted[:-3].rstrip())
    return text == wanted
