"""The dialog over loaded models, with what recalls for it and the beginning of its prompt."""

from __future__ import annotations

import logging
from functools import partial
from importlib.metadata import version
from pathlib import Path

from companion import language
from companion.acts.reader import ActReader
from companion.assembly.guard import build_guard, build_health, message_classifier
from companion.assembly.missing import CANNOT_THINK, Policy, Step
from companion.assembly.models import Models, absent_model, span_reader
from companion.clock import Clock
from companion.config import Config, RetrievalSection
from companion.config.settings import Live
from companion.dialog.abilities import Abilities
from companion.dialog.notes_reader import NotesReader
from companion.dialog.prefix import StoredPrefix
from companion.dialog.turn import Dialog
from companion.engines.absent import AbsentModel
from companion.engines.protocols import ChatMessage, Embedder, LanguageModel
from companion.errors import ContextTooSmall, EngineError
from companion.recall.hybrid import Recall
from companion.recall.paper import PaperRecall
from companion.recall.protocol import Recalls
from companion.repertoire.about_world import AboutWorld
from companion.repertoire.repertoire import Repertoire
from companion.safety.moved_on import MovedOn
from companion.skills.all import NAMES, all_skills
from companion.store.database import Store
from companion.weights.located import adapter_file, model_file

logger = logging.getLogger(__name__)


async def open_dialog(
    config: Config, clock: Clock, store: Store, models: Models, policy: Policy
) -> Dialog:
    """Ready to talk, with the beginning of its prompt read; or, where the policy goes on, ready to
    say that it cannot think. Raises what the policy raises: ContextTooSmall."""
    if not isinstance(models.active, AbsentModel):
        repertoire = build_repertoire(config, clock, store, models.embedder)
        await repertoire.open()
        world = _about_world(config, clock, store, models.embedder, repertoire)
        await _open_world(world)
        written = repertoire, world
        talking = build_dialog(config, clock, store, models.active, models.embedder, *written)
        try:
            await talking.open()
            await load_prefix(config, models.active, policy)
            return talking
        except ContextTooSmall as error:
            policy.missing(CANNOT_THINK, error)
    plain, absent = _without_model(config), absent_model(config)
    talking = build_dialog(plain, clock, store, absent, models.embedder)
    await talking.open()
    return talking


def _without_model(config: Config) -> Config:
    """What it says then is fixed: nothing is asked, and no classifier has to judge it."""
    persona = config.persona.model_copy(update={"greeting": False, "examples": False})
    safety = config.safety.model_copy(update={"guard": "patterns"})
    return config.model_copy(update={"persona": persona, "safety": safety})


def build_dialog(
    config: Config,
    clock: Clock,
    store: Store,
    model: LanguageModel,
    embedder: Embedder,
    repertoire: Repertoire | None = None,
    world: AboutWorld | None = None,
) -> Dialog:
    """The active phase over loaded engines; not opened yet. repertoire, world: None: one that opens
    with the first message."""
    language.choose(config.language)
    section, live = config.dialog, Live(config)
    if config.retrieval.mode == "paper":  # its prompt has no such line
        plain = dict.fromkeys(("today", "notes_prompt"), False)
        section = section.model_copy(update=plain)
    repertoire = repertoire or build_repertoire(config, clock, store, embedder)
    skills, name, written = None, config.persona.name, repertoire.in_these_words
    world = world or _about_world(config, clock, store, embedder, repertoire)
    if _with_skills(config):
        off = config.skills.without
        skills = all_skills(store, clock, name=name, off=off, written=written)
    return Dialog(
        model,
        embedder,
        store,
        clock,
        build_recall(config.retrieval, clock, store, model, embedder),
        persona=config.persona,
        dialog=section,
        abilities=abilities_of(config),
        inactivity_s=config.consolidation.inactivity_s,
        answerers=(*([] if skills is None else [skills]), world, repertoire),
        examples=repertoire,
        acts=ActReader(embedder, name) if config.dialog.acts else None,
        announcer=skills,
        guard=build_guard(config, embedder),
        moved_on=MovedOn(reads) if (reads := message_classifier(config)) else None,
        safety=config.safety,
        service=lambda: live().service,
        reader=_notes_reader(config, model) if section.notes_prompt else None,
        health=build_health(config, embedder),
    )


def _about_world(
    config: Config, clock: Clock, store: Store, embedder: Embedder, repertoire: Repertoire
) -> AboutWorld:
    name, written = config.persona.name, repertoire.in_these_words
    return AboutWorld(config.repertoire, name, embedder, store, clock, written=written)


async def _open_world(world: AboutWorld) -> None:
    """Where the embedder fails it is opened with the first question."""
    try:
        await world.open()
    except EngineError as error:
        logger.error("questions about the world are not read yet: %s", error)


def _notes_reader(config: Config, model: LanguageModel) -> NotesReader:
    return NotesReader(model, config.assist.aside_mb, span_reader(config))


def abilities_of(config: Config) -> Abilities:
    """What it can do with this configuration."""
    skills = NAMES - frozenset(config.skills.without) if _with_skills(config) else frozenset()
    return Abilities(skills=skills, knows_day=config.dialog.today)


def _with_skills(config: Config) -> bool:
    return config.skills.enabled and config.retrieval.mode != "paper"  # as published: none


def build_repertoire(
    config: Config, clock: Clock, store: Store, embedder: Embedder, *, answers: bool = True
) -> Repertoire:
    """What people wrote; not opened yet. answers: False: it only lends the model examples."""
    return Repertoire(
        config.repertoire,
        config.persona.family,
        config.persona.name,
        embedder,
        store,
        clock,
        config.models_dir,
        answers=answers,
        whole=message_classifier(config),
    )


def build_recall(
    section: RetrievalSection, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> Recalls:
    """What finds the memories that fit: the paper's way, or ours."""
    if section.mode == "paper":
        return PaperRecall(store, embedder, clock, section)
    return Recall(store, embedder, clock, section, partial(_tokens, model))


def _tokens(model: LanguageModel, text: str) -> int:
    """Tokens that a text adds to a prompt."""
    return model.count([ChatMessage("user", text)]) - model.count([ChatMessage("user", "")])


async def load_prefix(config: Config, model: LanguageModel, policy: Policy) -> None:
    """Bring the model to where it has read the stored beginning of the prompt.

    Raises ModelFileError, EngineError, UsageError (a name that the manifest does not know).
    """
    prefix = stored_prefix(config)
    if prefix is None:
        return
    if not prefix.exists:
        policy.on_step(Step.FIRST_START)
    policy.on_step(Step.PERSONA)
    await prefix.load(model)


def stored_prefix(config: Config) -> StoredPrefix | None:
    """The stored beginning of the prompt; None where the model is a server, which keeps its own.

    Raises ModelFileError, UsageError (a name that the manifest does not know).
    """
    if (kept := place_of_state(config)) is None:
        return None
    return StoredPrefix(*kept, config.persona, config.dialog, abilities_of(config))


def place_of_state(config: Config, of: str = "") -> tuple[Path, str] | None:
    """The file for a stored beginning of a prompt, and what identifies the weights; None of a
    server. of: another beginning than the dialog's. Raises what `stored_prefix` raises."""
    section = config.llm.active
    if section.backend != "llama-cpp":
        return None
    path = model_file(section, config.models_dir)
    files = (path, adapter_file(section, config.models_dir))
    seen = [(str(each), each.stat()) for each in files if each is not None]
    weights = (
        f"{[(each, it.st_size, it.st_mtime_ns) for each, it in seen]} {section.context_tokens} "
        f"{section.gpu_layers} {version('llama-cpp-python')}"
    )
    return config.models_dir / "prefixes" / f"{path.stem}{of}.npz", weights
