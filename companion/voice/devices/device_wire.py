"""What a sound process and its parent say to each other over pipes.

The process writes messages: a header, then a payload. To a process with a speaker the parent
writes nothing but frames of FRAME_TO_SPEAKER bytes; to one with a microphone, nothing at all. The
end of its standard input tells a process that its parent is gone.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from companion.engines.sound.protocols import MIC_FRAME, SPEAKER_FRAME

FRAME_FROM_MICROPHONE = MIC_FRAME * 2
"""Bytes."""

FRAME_TO_SPEAKER = SPEAKER_FRAME * 2

HEADER = struct.Struct("<BxHI")
"""Kind, bytes of the payload, frames lost since the process began."""


class Kind(IntEnum):
    OPENED = 1
    """The device gives or takes sound; payload: its name, rate and channels for a person."""

    HEARD = 2
    """Payload: FRAME_FROM_MICROPHONE bytes."""

    TOOK = 3
    """The speaker has taken sound since the last such message."""

    FAILED = 4
    """The process ends; payload: why, for a person."""


def message(kind: Kind, payload: bytes = b"", lost: int = 0) -> bytes:
    """A header and its payload, of which at most 65535 bytes are kept."""
    payload = payload[:0xFFFF]
    return HEADER.pack(kind, len(payload), min(lost, 0xFFFFFFFF)) + payload
