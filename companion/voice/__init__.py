"""Ears and mouth: devices, turn-taking, the loop."""
