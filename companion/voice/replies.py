"""What the voice says by itself, whatever the dialog answers."""

from __future__ import annotations

FILLERS = ("Hmm.", "Let me think.", "One moment.")
"""Said in turn when an answer is late; synthesized once, at the start."""

SORRY = "Sorry, I did not understand that. Can you say it again?"
"""Said when a transcript cannot be relied on, time after time."""
