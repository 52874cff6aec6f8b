"""The sections of the configuration: what they hold, within which bounds, and their defaults.

Those for sound and the service stand in `sections_voice`. `config.yaml` documents every key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

NoticeTopic = Literal[
    "self-harm",
    "abuse",
    "emergency",
    "strangers",
    "sexual",
    "weapons",
    "drugs",
    "dares",
    "personal",
]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    gone: ClassVar[dict[str, str]] = {}
    """Keys of earlier versions: what to do about each."""

    @field_validator("*")
    @classmethod
    def _is_a_path(cls, value: Any) -> Any:
        """Paths keep their `~` until they are used; a home that is not there is told here."""
        if isinstance(value, Path):
            if "\0" in str(value):
                raise ValueError("holds a NUL character")
            try:
                value.expanduser()
            except RuntimeError:
                raise ValueError("names the home of a user that is not there") from None
        return value


class EmbedderSection(Section):
    backend: Literal["onnx", "sentence-transformers"] = "onnx"
    model: str = "minilm-int8"
    """Name in models/manifest.yaml, or (backend sentence-transformers) any model it can load."""

    directory: Path | None = None
    """A folder with an exported model (`companion models export-embedder`); wins over `model`."""

    threads: int = Field(1, ge=1, le=64)


class FamilySection(Section):
    """Where families differ: `keep` keeps a child's belief, `tell` tells it kindly as it is."""

    santa: Literal["keep", "tell"] = "keep"
    fairy: Literal["keep", "tell"] = "keep"


class PersonaSection(Section):
    """Who the companion is. All of it is prompt text."""

    name: str = Field("Pip", min_length=1, max_length=40)
    listener: str = Field("a child", min_length=1, max_length=80)
    character: str = Field(
        "You are curious, gentle and playful. You like animals, stories and small jokes.",
        max_length=2000,
    )
    rules: tuple[str, ...] = ()
    """Further rules, one sentence each, after the built-in ones."""

    greeting: bool = True
    """Note name, age and gender when the person tells them, and ask for what `ask` says."""

    ask: tuple[Literal["name", "age", "gender"], ...] = ("name", "age", "gender")
    """What may be asked for while it is not known (paper section 4.6); always in this order."""

    examples: bool = True
    """Show the model short example exchanges first: better manners and reading of notes, free once
    cached."""

    family: FamilySection = FamilySection()

    @field_validator("name", "listener")
    @classmethod
    def _can_be_said(cls, words: str) -> str:
        """Both stand within a sentence of the prompt."""
        if not words.isprintable() or not any(map(str.isalnum, words)):
            raise ValueError("must be one line with a letter in it")
        return words.strip()


class DialogSection(Section):
    window_messages: int = Field(15, ge=1, le=400)
    """W_slide of the paper."""

    window_slack: int = Field(16, ge=0, le=400)
    """The window grows to W + slack before it is cut back to W at once."""

    sentences: int = Field(2, ge=1, le=20)
    """Most sentences in a reply."""

    openers: bool = True
    """Answer a first "hi" with what the night has written for this day."""

    acts: bool = True
    """Tell what a message does."""

    today: bool = True
    """Tell the model the day and its part, and how long ago the last talk was, where the clock is
    trusted."""
    held_to_notes: bool = True
    """Of the person's own life and earlier talk, say only what notes and talk bear out."""

    notes_prompt: bool = True
    """Answer questions about earlier days by a prompt of their own."""

    reply_tokens: int = Field(96, ge=8, le=2048)
    temperature: float = Field(0.3, ge=0, le=2)
    seed: int = 0
    deadline_s: float = Field(120, gt=0)


class RepertoireSection(Section):
    """Replies that people wrote (docs/repertoire.md)."""

    enabled: bool = True
    packs: Path | None = None
    """A folder with packs of one's own, beside those that are shipped."""

    examples: int = Field(2, ge=0, le=4)
    """Most written exchanges put before a message that the model answers."""

    by_act: bool = True
    """What a message does may decide a written reply, where no entry is near."""

    facts: Literal["honest", "model"] = "honest"
    """Who answers a question about the world that no entry answers: a written "I'm not sure, who
    could we ask?", or the language model."""

    fallback: bool = True
    """Answer with a written line what nobody is sure of, where a small model answers badly: wishes,
    questions, clues in a guessing game, corrections."""


class RetrievalSection(Section):
    gone: ClassVar[dict[str, str]] = dict.fromkeys(
        ("fill", "turns", "memories", "passing"),
        "is gone: retrieval.budget_tokens alone says how much is shown; delete this line",
    )

    mode: Literal["paper", "hybrid"] = "hybrid"
    k_long: int = Field(5, ge=0, le=100)
    k_short: int = Field(3, ge=0, le=100)
    k_surrounding: int = Field(1, ge=0, le=10)
    s_min: float = Field(0.35, ge=-1, le=1)
    budget_tokens: int = Field(130, ge=0, le=8192)
    """Most tokens of the recalled block (mode hybrid)."""

    asked_tokens: int = Field(300, ge=0, le=8192)
    """The same for a question about what was told, which is read apart (`dialog.notes_prompt`):
    `budget_tokens`, where that is more."""

    span_reader: bool = True
    """Let a small reader (MiniLM, 23 MB) look for the words that answer such a question: where it
    finds none, an answer of the language model is doubted. Recall at a touch uses it, too."""

    s_question: float = Field(0.3, ge=-1, le=1)
    """Least similarity of the nearest text, for a question that may be about the past, or not
    (mode hybrid)."""

    s_passing: float = Field(0.45, ge=-1, le=1)
    """Least similarity of what is shown when nothing was asked (mode hybrid)."""


class ConsolidationSection(Section):
    mode: Literal["words", "turns", "paper"] = "words"
    """`words`: a memory is what the person said, word for word, where it is worth it.
    `turns`: beside these, sentences that the model writes, where every word is borne out.
    `paper`: memories are made of whole chunks, both sides, as published; for comparing."""

    inactivity_s: float = Field(600, gt=0)
    """T_inactivity: this much silence ends a session."""

    chunk_tokens: int = Field(7000, ge=128)
    overlap_messages: int = Field(5, ge=0, le=100)
    similar: int = Field(3, ge=0, le=20)
    """Existing memories that a new one is compared with."""

    facts_per_turn: int = Field(4, ge=1, le=20)
    personality: bool = True
    """Draw a picture of the personality. False: not drawn, and what was drawn is erased."""

    min_confidence: float = Field(0.6, ge=0, le=1)
    """Words that a transcriber heard with less are answered, but no fact is drafted from them."""

    attempts: int = Field(2, ge=1, le=10)
    """Full tries of a structured step before it is parked."""

    nights: int = Field(3, ge=1, le=100)
    """Runs in which a parked unit is tried again before the work goes on without it."""

    soft_retry_temperature: float = Field(0.2, ge=0, le=2)
    deadline_s: float = Field(120, gt=0)
    """Longest wall time of one model call."""


class SafetySection(Section):
    """What guards a child (docs/safety.md). No topic can be switched off."""

    guard: Literal["full", "patterns"] = "full"
    """full: code, and a small classifier over the embedder. patterns: code alone."""

    notices: bool = True
    """Keep a line for the parent (topic and time, no words) when a grave topic came up."""

    notice_topics: tuple[NoticeTopic, ...] = (
        "self-harm",
        "emergency",
        "strangers",
        "weapons",
        "drugs",
        "dares",
    )
    """Not `abuse` by default: who reads the notices may be whom the child is afraid of."""

    break_minutes: int = Field(45, ge=0, le=600)
    """After so much talk without a pause a break is proposed; 0: never."""

    worries: bool = True
    """Keep a line of its own, "worry", where the guard was in doubt and asked; of the topics of
    `notice_topics` only."""

    emergency_number: str = Field("112", pattern=r"^\d{2,5}$", coerce_numbers_to_str=True)
    """Of the region: what a child is told to call."""

    def tells(self, topic: str, *, worry: bool = False) -> bool:
        """Whether a line is kept for the parent when this grave topic came up, or (worry) may
        have."""
        return self.notices and topic in self.notice_topics and (self.worries or not worry)


class SkillsSection(Section):
    """Small programs that are used by talking."""

    enabled: bool = True
    without: tuple[str, ...] = ()
    """Names of skills, games and plug-ins that are left out."""


class ForgettingSection(Section):
    enabled: bool = True
    rule: Literal["lifespan", "paper"] = "lifespan"
    """How fast a memory fades: by its kind, or all alike, as published."""

    r_min: float = Field(0.01, gt=0, lt=1)
    archive_days: float = Field(30, ge=0)
    """Lived days a faded memory stays in the archive before it is erased."""

    turn_days: float = Field(30, ge=0)
    """Lived days that raw turns are kept once consolidated; 0: for ever."""

    largest_gap_days: float = Field(7, gt=0)
    """The most lived time that one absence can add."""


class StoreSection(Section):
    encrypt: bool = True
    key_file: Path | None = None
    """Null: `store.key` beside the database, or the systemd credential `companion-key`."""

    backups: int = Field(3, ge=0, le=100)
