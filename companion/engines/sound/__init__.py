"""Hearing and speaking: speech to text, text to speech, voice detection, echo, wake words."""
