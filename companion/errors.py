"""What can go wrong, one small class per kind.

Every message is one line for a person: what is wrong, where, and what to do.
The command line prints it and exits with the class's code; nothing else does.
"""


class CompanionError(Exception):
    """A failure with a name. `exit_code` is what the process ends with."""

    exit_code = 1


class UsageError(CompanionError):
    """The command's words are wrong."""

    exit_code = 2


class ConfigError(CompanionError):
    """The configuration cannot be used: names file, key, line and the nearest key."""


class ModelFileError(CompanionError):
    """A model file is missing, cut or altered: names the file and the command that fetches it."""


class FetchError(CompanionError):
    """Weights could not be fetched."""


class EngineError(CompanionError):
    """An engine (language model, embedder) failed while working."""


class ContextTooSmall(CompanionError):
    """A prompt does not fit the model's context: carries the numbers."""


class StoreError(CompanionError):
    """The store cannot be opened, read or written."""


class StoreFailing(StoreError):
    """The disk fails the store for now: full, read-only, damaged or broken. Talk goes on without
    it, from RAM, and the store is tried again."""


class StoreInRam(StoreFailing):
    """This process keeps everything in RAM alone: what is on the disk is not its to read or
    change."""


class StoreBusy(StoreError):
    """Another process owns the store; the message carries its process id."""

    exit_code = 75


class StoreNewer(StoreError):
    """The store was written by a newer version; this one refuses to touch it."""


class DaemonError(CompanionError):
    """The daemon is not there, does not answer, or cannot do what is asked of it now."""


class SoundError(CompanionError):
    """A microphone, a speaker, a button or a lamp cannot be used."""


class InputError(CompanionError):
    """What was given to the program (a line, a file) is refused whole."""


class StructureError(CompanionError):
    """A model's answer could not be parsed, after all retries."""


def first_line(error: Exception, otherwise: str = "no reason given") -> str:
    """Of what a library says, as much as belongs in a message of ours: 200 characters at most."""
    return (str(error).strip().splitlines() or [otherwise])[0][:200]
