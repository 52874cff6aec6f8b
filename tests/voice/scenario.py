"""Scenarios as data: who says what when, and what must come of it.

A file in tests/voice/scenarios holds a list of them; `Scenario` tells what each key means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from companion.engines.sound.protocols import MIC_RATE, Samples
from companion.language.en.transcripts import words_of
from tests.voice.actors import SPEECH_DB, Actors, babble, louder, noise
from tests.voice.stage import Act, Cue

FOLDER = Path(__file__).parent / "scenarios"


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(Part):
    """Exactly one cue (default: half a second after the step before) and one thing that happens."""

    after: float | None = None
    """Seconds after the end of the step before."""
    with_: float | None = Field(None, alias="with")
    """Seconds after its start."""
    into_reply: float | None = None
    """Seconds after the companion began to speak."""
    after_reply: float | None = None
    """Seconds after it came to an end."""
    consolidating: float | None = None
    """Seconds after it began to consolidate."""

    say: str | None = None
    """A line; "..." in it is a pause of `pause` seconds."""
    voice: str = "adult"
    pause: float = 0.45
    louder_db: float = 0
    noise: str | None = None
    """white, hum, music, clipping, cough, knock, silence, television."""
    lasts: float = 1.0
    level_db: float = SPEECH_DB
    do: Literal["hold", "release", "pause", "resume"] | None = None
    """The button, or the microphone."""

    @model_validator(mode="after")
    def _one_of_each(self) -> Step:
        cues = (self.after, self.with_, self.into_reply, self.after_reply, self.consolidating)
        assert sum(cue is not None for cue in cues) <= 1, "one cue"
        assert sum(thing is not None for thing in (self.say, self.noise, self.do)) == 1
        return self

    @property
    def cue(self) -> Cue:
        if self.with_ is not None:
            return Cue(self.with_, "start")
        if self.into_reply is not None:
            return Cue(self.into_reply, "begins")
        if self.after_reply is not None:
            return Cue(self.after_reply, "silent")
        if self.consolidating is not None:
            return Cue(self.consolidating, "ready")
        return Cue(0.5 if self.after is None else self.after, "end")

    def sound(self, actors: Actors) -> Samples:
        """What is heard of it."""
        if self.say is not None:
            silence = np.zeros(int(self.pause * MIC_RATE), np.int16)
            parts: list[Samples] = []
            for line in self.say.split("..."):
                parts += [silence, actors.speak(line.strip(), self.voice)]
            return louder(np.concatenate(parts[1:]), self.louder_db)
        if self.noise == "television":
            return babble(actors, self.lasts, self.level_db)
        if self.noise is not None:
            return noise(self.noise, self.lasts, self.level_db)
        return np.zeros(0, np.int16)

    def act(self, actors: Actors, deeds: dict[str, Callable[[], None]]) -> Act:
        do = deeds[self.do] if self.do else lambda: None
        return Act(self.cue, self.sound(actors), do)


class Background(Part):
    """What sounds all the time."""

    noise: str
    below_speech_db: float = 20
    """So much quieter than speech."""


class Turn(Part):
    """A turn that must come."""

    heard: str
    word_error: float = 0.2
    """So large a part of the words may be wrong."""
    said: str | None = None
    """What was heard of the reply; a part of it when it ends with an ellipsis."""
    cut: bool = False


class Expect(Part):
    """What must come of it."""

    turns: Sequence[Turn] = ()
    """All of them, in order."""
    unanswered: Sequence[str] | None = None
    """Sounds that led to no turn: exactly these kinds, in order."""
    only: Sequence[str] = ("noise",)
    """Where `unanswered` is not given: kinds that may come, as often as they like."""
    spoken: Sequence[str] = ()
    """Pieces of what the companion says aloud, in this order."""
    never_spoken: Sequence[str] = ()
    quiet_ms: float | None = None
    """From the beginning of the last step until the companion is silent, at most."""
    goes_on: bool = False
    """The companion is heard again after the last step."""
    log: Sequence[tuple[str, str, bool]] | None = None
    """Stored afterwards: a piece of the words, the reply as it was heard, whether it was cut."""
    consolidated: bool | None = None
    """Whether a consolidation came to its end."""
    memories: int = 0


class Scenario(Part):
    name: str
    speaker: Literal["piper", "tone"] = "tone"
    """The companion's own voice."""
    llm: Literal["scripted", "smollm2"] = "scripted"
    replies: Sequence[str] = ("That is nice.",)
    seconds_per_token: float = 0.0
    """Of the scripted model, while it consolidates."""
    inactivity_s: float = 600
    voice: dict[str, Any] = {}
    """Keys of config.yaml's section voice."""
    echo_db: float | None = None
    background: Background | None = None
    pace: Literal["simulated", "real"] = "simulated"
    longest_s: float = 180
    """Played for so long at most."""
    script: Sequence[Step]
    expect: Expect


def scenarios(*files: str) -> list[Scenario]:
    """Those of these files; without any, all of them. A name stands once."""
    found = [
        Scenario.model_validate(each)
        for path in sorted(FOLDER.glob("*.yaml"))
        if not files or path.stem in files
        for each in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
    names = [each.name for each in found]
    assert len(set(names)) == len(names), "two scenarios of one name"
    return found


def word_errors(said: str, heard: str) -> tuple[int, int]:
    """Words wrong, missing or too many; words said. Numbers count in words or digits alike."""
    wanted, found = words_of(_plain(said)), words_of(_plain(heard))
    row = list(range(len(found) + 1))
    for number, word in enumerate(wanted, 1):
        above, row = row, [number]
        for at, other in enumerate(found, 1):
            row.append(min(above[at] + 1, row[-1] + 1, above[at - 1] + (word != other)))
    return row[-1], len(wanted)


def _plain(text: str) -> str:
    return re.sub(r"(?<=\d)[,.](?=\d{3}\b)", "", text).replace("-", " ")
