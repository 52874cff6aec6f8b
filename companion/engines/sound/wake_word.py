"""A wake-word engine of the owner's choice: the class that the configuration names."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.engines.sound.protocols import Samples, WakeWord
from companion.errors import CompanionError, EngineError, first_line


def load_wake_word(place: str, model: Path | None) -> WakeWord:
    """An object of the class `place` (module:Class), which is called with `model`.

    The module is imported: who writes the configuration decides what code runs.
    Raises EngineError, or what of CompanionError the class raises.
    """
    module_name, _, class_name = place.partition(":")
    try:
        module: Any = importlib.import_module(module_name)
        engine = getattr(module, class_name)(model)
    except CompanionError:
        raise
    except Exception as error:  # Code that is not ours may raise anything.
        raise EngineError(f"voice.wake_engine: {place}: {_one_line(error)}") from None
    if not isinstance(engine, WakeWord):
        raise EngineError(f"voice.wake_engine: {place}: has no score(frame) and reset()")
    return _Guarded(place, engine)


@dataclass(frozen=True)
class _Guarded:
    """An engine whose failures have our name."""

    _place: str
    _engine: WakeWord

    def score(self, frame: Samples) -> float:
        try:
            return float(self._engine.score(frame))
        except Exception as error:
            raise EngineError(f"voice.wake_engine: {self._place}: {_one_line(error)}") from None

    def reset(self) -> None:
        self._engine.reset()


def _one_line(error: Exception) -> str:
    text = first_line(error, "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
