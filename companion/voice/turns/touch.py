"""What a touch of the paw means, from its state in each frame. Pure.

Held for 400 ms or more it is a question, which ends with the release; shorter, it asks for what is
open. A contact that bounces is one touch, and one that hangs is none.
"""

from __future__ import annotations

from typing import Literal

from companion.engines.sound.protocols import FRAME_S

HELD_MS = 400
"""From here on it is held."""

LONGEST_S = 30.0
"""What is pressed for longer hangs: a transcriber hears no more at once."""

UP_FRAMES = 2
"""Frames in a row that a release takes (64 ms)."""

SETTLE_FRAMES = 3
"""Frames after a release in which a contact may still bounce (96 ms)."""

TouchEvent = Literal["pressed", "held", "touched", "asked", "hangs"]
"""pressed: it went down. held: a question begins. touched: it went up, and was not held. asked: the
question has ended. hangs: it does not come up, and is ignored until it does."""

_HELD = round(HELD_MS / 1000 / FRAME_S + 0.49)
_LONGEST = int(LONGEST_S / FRAME_S)


class Touch:
    """One button, frame by frame."""

    def __init__(self) -> None:
        self._frames = 0
        """Since it was pressed; 0 while it is up."""
        self._up = 0
        """Frames in a row in which it was up."""
        self._settling = 0
        self._held = False
        self.hangs = False
        """It has been pressed for too long, and does not come up."""

    @property
    def down(self) -> bool:
        """Whether it is pressed, and does not hang."""
        return self._frames > 0 and not self.hangs

    @property
    def held(self) -> bool:
        """Whether it has been pressed for so long that it is a question."""
        return self.down and self._held

    def feed(self, pressed: bool) -> TouchEvent | None:
        """The state of the button in the next frame of 32 ms, and what that means."""
        self._up = 0 if pressed else self._up + 1
        if not self._frames:
            self._settling = max(0, self._settling - 1)
            if not pressed or self._settling:
                return None
            self._frames = 1
            return "pressed"
        self._frames += 1
        if self._up >= UP_FRAMES:
            return self._released()
        if pressed and not self._held and self._frames >= _HELD:
            self._held = True
            return "held"
        if self._frames == _LONGEST:
            self.hangs = True
            return "hangs"
        return None

    def _released(self) -> TouchEvent | None:
        held, hung = self._held, self.hangs
        self._frames, self._settling = 0, SETTLE_FRAMES
        self._held = self.hangs = False
        if hung:
            return None
        return "asked" if held else "touched"
