"""Microphone and speaker, real ones and files, and the button."""
