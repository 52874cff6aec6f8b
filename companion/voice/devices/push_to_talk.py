"""Sound that comes with a button: what is heard while it is not pressed is not listened to."""

from __future__ import annotations

from companion.engines.sound.protocols import Samples, Sound, SoundState
from companion.voice.devices.gpio import Button
from companion.voice.turns.attention import Attention


class PushToTalkSound:
    """A Sound over another one; the button, if there is one, is looked at once a frame."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound
        self._pressed: tuple[Button, Attention] | None = None

    def press(self, button: Button, attention: Attention) -> None:
        """From now on, let the button decide."""
        self._pressed = (button, attention)

    async def capture(self) -> Samples | None:
        """Raises SoundError when the button is gone."""
        frame = await self._sound.capture()
        if self._pressed is not None:
            button, attention = self._pressed
            attention.held = button.pressed
        return frame

    def play(self, frame: Samples) -> None:
        self._sound.play(frame)

    @property
    def state(self) -> SoundState:
        return self._sound.state

    async def close(self) -> None:
        await self._sound.close()
