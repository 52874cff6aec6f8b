"""Who judges what is said."""

from __future__ import annotations

import logging

from companion.acts.memory_questions import MemoryQuestions
from companion.acts.play import Play
from companion.config import Config
from companion.config.document import shipped
from companion.engines.protocols import Embedder, TextClassifier
from companion.errors import EngineError
from companion.safety.classifier import Classifier
from companion.safety.guard_chain import GuardChain
from companion.safety.health import Health, Networks
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Guard
from companion.safety.witnesses import Witnesses

logger = logging.getLogger(__name__)

NETWORK = "models/guards/minilm-guard.onnx"


def build_guard(config: Config, embedder: Embedder, *, of_others: bool = False) -> Guard:
    """Patterns, and beside them the classifier over the embedder. of_others: for what others say
    among themselves."""
    if config.safety.guard == "patterns":
        return GuardChain([PatternGuard()])
    asks = MemoryQuestions(embedder, config.persona.name).probability
    whole = message_classifier(config)
    classifier = Classifier(embedder, of_others=of_others, asks=asks, whole=whole)
    return GuardChain([Witnesses(PatternGuard(), classifier)])


def message_classifier(config: Config) -> TextClassifier | None:
    """What reads messages as a whole, loaded with the first; None: switched off."""
    if config.safety.guard != "full":
        return None
    from companion.engines.text_classifier import OnnxTextClassifier

    return OnnxTextClassifier(shipped(NETWORK), config.embedder.threads)


def build_health(config: Config, embedder: Embedder) -> Health:
    """What recognises allergies and health, with the heads of the guard's network."""
    if config.safety.guard != "full":
        return Health(embedder)
    from companion.engines.text_classifier import OnnxTextClassifier

    file, threads = shipped(NETWORK), config.embedder.threads
    telling, touching = (
        OnnxTextClassifier(file, threads, head=head) for head in ("telling", "touching")
    )
    return Health(embedder, Networks(telling, touching))


def build_play(config: Config) -> Play:
    """What tells play from earnest, with a head of the guard's network."""
    if config.safety.guard != "full":
        return Play()
    from companion.engines.text_classifier import OnnxTextClassifier

    return Play(OnnxTextClassifier(shipped(NETWORK), config.embedder.threads, head="play"))


async def check_guard(config: Config, embedder: Embedder) -> None:
    """Load what the guard needs, so that the first message does not wait for it.

    Raises ConfigError when the classifier does not suit the embedder, as it would then stop every
    word instead of judging it; EngineError when the embedder fails."""
    if (whole := message_classifier(config)) is None:
        return
    await Classifier(embedder).check()
    try:
        await whole.classify([])
    except EngineError as error:
        logger.error("safety: only sentences are judged, not messages: %s", error)
