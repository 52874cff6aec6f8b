"""A crisis reply is heard, whoever speaks into it."""

from __future__ import annotations

from pathlib import Path

from companion.engines.sound.protocols import Transcript
from companion.safety.replies import TO_CHILD
from tests.voice.a_voice import Room, a_voice

CRISIS = "I want to kill myself."
TO_CRISIS = " ".join(TO_CHILD["self-harm"])


async def test_who_cries_into_a_crisis_reply_hears_it_again(tmp_path: Path) -> None:
    heard = (CRISIS, Transcript("the boat of my was", 0.2, 0.1))
    async with a_voice(tmp_path, heard) as voice:
        cried: list[float] = []

        def cry(room: Room) -> None:
            if not cried and room.sounding():
                cried.append(room.now)
                room.speak(1.0, 1.5)

        voice.room.on_frame = cry
        await voice.loop.run()
        assert [turn.cut for turn in voice.turns] == [True]
        assert voice.unanswered == ["unclear"]
        whole = " ".join(TO_CHILD["self-harm"])
        assert " ".join(voice.mouth.texts).endswith(whole)
        assert voice.mouth.texts[-3] == whole.partition(" and")[0], "its first clause came first"
        stored = await voice.stored()
        assert [turn.stopped for turn in stored] == ["self-harm", "self-harm"]
        assert stored[-1].reply is not None
        assert (stored[-1].reply.text, stored[-1].reply.cut) == (TO_CRISIS, False)


async def test_who_speaks_into_a_crisis_reply_is_answered_with_it(tmp_path: Path) -> None:
    async with a_voice(tmp_path, (CRISIS, "And nobody likes me at all.", "Hi.")) as voice:
        spoken: list[float] = []

        def speak(room: Room) -> None:
            if not spoken and room.sounding():
                spoken.append(room.now)
                room.speak(1.0, 1.5)
                room.speak(25.0, 1.0)

        voice.room.on_frame = speak
        await voice.loop.run()
        assert [(turn.cut, turn.said == TO_CRISIS) for turn in voice.turns] == [
            (True, False),
            (False, True),
            (False, False),
        ]
