"""Commands and output, no logic: one file per group of commands.

The table in ARCHITECTURE.md (names, options, JSON fields, exit codes) is a contract that scripts
rely on. Modules here import light: whatever loads a model is imported by the command that
needs it, so that looking into the memory is instant.
"""

from companion.cli.app import main

__all__ = ["main"]
