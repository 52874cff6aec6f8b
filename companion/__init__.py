"""Companion: an on-device companion that talks, remembers and keeps everything to itself."""

__version__ = "0.1.0"
