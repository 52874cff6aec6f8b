"""Hearing and speaking: devices, turn-taking, the loop."""
