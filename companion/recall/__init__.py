"""Finds matching turns and memories, for the dialog and for people who search."""
