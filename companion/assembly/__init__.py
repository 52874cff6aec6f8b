"""From a configuration to open objects: the only place where a backend is chosen.

Chat, voice over files, daemon and evaluation all begin here, each with its policy for what is
missing (`missing`). What is opened is an async context manager, and closed however the program
ends. A heavy library is imported when its backend is chosen, so that a command that only looks
into the store starts at once.
"""
