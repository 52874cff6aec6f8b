"""Devices through PortAudio. Imported in a process of its own (`sound_child`), because a device
that is pulled out can hang a call into it for ever, and because its list of devices never changes
once it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from companion.engines.sound.protocols import FRAME_S, MIC_RATE, SPEAKER_RATE
from companion.errors import SoundError

try:
    import sounddevice
except ModuleNotFoundError:
    raise SoundError("sound needs the package sounddevice; run: scripts/setup --voice") from None
except OSError:
    raise SoundError("sound needs the library PortAudio; run: apt install libportaudio2") from None

Deliver = Callable[[bytes, bool], None]
"""Takes interleaved samples, and whether some before them were lost."""

Fetch = Callable[[int], bytes]
"""Gives so many bytes of interleaved samples."""

Side = Literal["input", "output"]

_LATENCY_S = 0.06
"""Asked of the device: what a small board keeps up with."""


@dataclass(frozen=True)
class Stream:
    """An open device; `rate` and `channels` are what it runs at, whatever was wished for."""

    stream: Any
    name: str
    rate: int
    channels: int

    @property
    def active(self) -> bool:
        return bool(self.stream.active)


def open_microphone(wanted: str | None, deliver: Deliver) -> Stream:
    """A running microphone; `deliver` is called on a thread of PortAudio's. Raises SoundError."""

    def callback(data: Any, frames: int, time: Any, status: Any) -> None:
        deliver(bytes(data), bool(status.input_overflow))

    return _open("input", wanted, MIC_RATE, callback)


def open_speaker(wanted: str | None, fetch: Fetch) -> Stream:
    """A running speaker; `fetch` is called on a thread of PortAudio's. Raises SoundError."""

    def callback(data: Any, frames: int, time: Any, status: Any) -> None:
        data[:] = fetch(len(data))

    return _open("output", wanted, SPEAKER_RATE, callback)


def devices() -> list[dict[str, object]]:
    """Every device, in PortAudio's order. Raises SoundError."""
    default = tuple(sounddevice.default.device)
    return [
        {
            "name": device["name"],
            "system": sounddevice.query_hostapis(device["hostapi"])["name"],
            "inputs": device["max_input_channels"],
            "outputs": device["max_output_channels"],
            "rate": int(device["default_samplerate"]),
            "default_microphone": device["index"] == default[0],
            "default_speaker": device["index"] == default[1],
        }
        for device in sounddevice.query_devices()
    ]


def _open(side: Side, wanted: str | None, rate: int, callback: Callable[..., None]) -> Stream:
    device = _choose(side, wanted)
    most = device[f"max_{side}_channels"]
    kind = sounddevice.RawInputStream if side == "input" else sounddevice.RawOutputStream
    refusal = ""
    for own_rate in dict.fromkeys((rate, int(device["default_samplerate"]), 48_000, 44_100)):
        for channels in dict.fromkeys((1, min(2, most), most)):
            try:
                stream = kind(
                    device=device["index"],
                    samplerate=own_rate,
                    channels=channels,
                    dtype="int16",
                    blocksize=round(own_rate * FRAME_S),
                    latency=_LATENCY_S,
                    callback=callback,
                )
                stream.start()
            except sounddevice.PortAudioError as error:
                refusal = str(error)
                continue
            return Stream(stream, device["name"], own_rate, channels)
    raise SoundError(f"{device['name']}: {refusal}")


def _choose(side: Side, wanted: str | None) -> dict[str, Any]:
    """The device whose name holds `wanted`, or the system's default."""
    able = [d for d in sounddevice.query_devices() if d[f"max_{side}_channels"] > 0]
    what = "microphone" if side == "input" else "speaker"
    if not able:
        raise SoundError(f"there is no {what}")
    if wanted is not None:
        named = [d for d in able if wanted.casefold() in d["name"].casefold()]
        if not named:
            known = ", ".join(repr(d["name"]) for d in able)
            raise SoundError(f"there is no {what} {wanted!r}; there are {known}")
        return dict(named[0])
    default = sounddevice.default.device[0 if side == "input" else 1]
    return dict(next((d for d in able if d["index"] == default), able[0]))
