"""`companion eval run` and `eval grade`: lives, questions, grades, and the document of them.

Everything that is done stands in journals in one folder, so a run goes on after a cut, and what
was parked is tried again by the next one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.assembly.models import Models
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.arms import Arm
from companion.evaluation.claim import claim
from companion.evaluation.simulation import agreement, published, scores
from companion.evaluation.simulation.asking import Asker, Parked
from companion.evaluation.simulation.calendar import sittings
from companion.evaluation.simulation.character import QUESTION_TYPES, Character, read, shipped
from companion.evaluation.simulation.generate import generate, save
from companion.evaluation.simulation.grading import Judgements, grade, stored
from companion.evaluation.simulation.journal import Journal
from companion.evaluation.simulation.life import Life, Setting
from companion.evaluation.simulation.person import Person
from companion.evaluation.simulation.questions import Question, made, written
from companion.evaluation.simulation.trial import ask_all, take_up_again
from companion.store.lock import Lock

Document = dict[str, Any]
OnProgress = Callable[[str], None]
"""Told after each item."""


@dataclass(frozen=True)
class Settings:
    """What a run consists of."""

    users: int = 1
    days: int = 3
    sessions: int = 1
    """A day."""

    turns: int = 4
    """A session."""

    questions: int = 2
    """Of each type, made by the judge."""

    seed: int = 0
    arms: tuple[Arm, ...] = ("raw", "paper", "hybrid")


@dataclass(frozen=True)
class Cast:
    """The models that take part."""

    engines: Models
    user: Asker
    judge: Asker

    @property
    def names(self) -> dict[str, str]:
        """By part."""
        return {
            "companion": self.engines.active.name,
            "user": self.user.model.name,
            "judge": self.judge.model.name,
        }


class Books:
    """The journals of a run's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = Journal(folder / "calls.jsonl")
        self.talks = Journal(folder / "talks.jsonl")
        self.questions = Journal(folder / "questions.jsonl")
        self.answers = Journal(folder / "answers.jsonl")
        self.grades = Journal(folder / "grades.jsonl")


class Parking:
    """What was given up in this run, and why."""

    def __init__(self) -> None:
        self.items: list[dict[str, str]] = []

    def __call__(self, item: str, why: str) -> None:
        self.items.append({"item": item, "why": why})


async def run(
    config: Config,
    settings: Settings,
    cast: Cast,
    folder: Path,
    *,
    characters: list[Character] | None = None,
    on_progress: OnProgress,
) -> Document:
    """The whole of it, or what is left of it; the document of `companion eval run --json`.

    characters: the first people; None: the shipped ones. Whoever is missing is generated.
    Raises InputError for a folder of a run with other settings, StoreBusy beside another run.
    """
    first = (shipped() if characters is None else characters)[: settings.users]
    slugs = [each.slug for each in first]
    if twice := [slug for slug in slugs if slugs.count(slug) > 1]:
        raise InputError(f"two of the characters are called {twice[0]}: give them other names")
    claim(folder, _made_from(config, settings, cast, first))
    with _alone(folder):
        books, parking = Books(folder), Parking()
        people = await _people(folder, first, settings, cast.user, parking)
        setting = Setting(config, cast.engines, folder, books.talks, settings.turns)
        toy = config.persona.name
        for character in people:
            plan = sittings(character, days=settings.days, sessions=settings.sessions)
            for arm in settings.arms:
                person = Person(character, toy, cast.user, books.calls, seed=settings.seed)
                life = Life(setting, character, arm, person, plan)
                await _lead(life, settings, cast, books, parking, on_progress)
        return _document(folder, people, books.grades, parking, cast=cast)


async def regrade(folder: Path, judge: Asker, *, on_progress: OnProgress) -> Document:
    """Ask another judge every judgement of a run; the document of `companion eval grade --json`.

    Raises InputError for a folder that holds no run, StoreBusy beside another one.
    """
    graded(folder)
    name = re.sub(r"[^a-z0-9.]+", "-", judge.model.name.lower()).strip("-.") or "judge"
    with _alone(folder):
        first, parking = Journal(folder / "grades.jsonl"), Parking()
        second = Journal(folder / f"grades-{name}.jsonl")
        await grade(stored(first), judge, second, on_progress, parking)
        people = saved_people(folder)
        document = _document(folder, people, second, parking, judge=judge.model.name)
        return {**document, "agreement": agreement.compare(first, second)}


def graded(folder: Path) -> int:
    """Judgements of the run in a folder. Raises InputError when it holds no graded run."""
    path = folder / "grades.jsonl"
    try:
        # Not through a Journal: beside a run, what looks torn is only being written.
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        raise InputError(f"{folder}: holds no graded run; `companion eval run` makes one") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def saved_people(folder: Path) -> list[Character]:
    """The characters of a run, in order."""
    return [read(path) for path in sorted((folder / "characters").glob("*.yaml"))]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two runs in one folder would do everything twice. Raises StoreBusy."""
    lock = Lock(folder, "run.lock")
    try:
        yield
    finally:
        lock.release()


async def _lead(
    life: Life,
    settings: Settings,
    cast: Cast,
    books: Books,
    parking: Parking,
    on_progress: OnProgress,
) -> None:
    """One life, what is asked after it, and what is judged of it. What is parked stops only what
    rests on it."""
    try:
        await life.live(on_progress)
    except Parked as error:
        parking(f"{life.key}: session {len(life.talks()) + 1}", str(error))
        return
    questions = written(life.character, life.talks())
    for type in QUESTION_TYPES:
        key = f"{life.key}/{type}"
        try:
            if key not in books.questions:
                toy = life.setting.config.persona.name
                found = await made(
                    cast.judge, type, life.talks(), toy, settings.questions, settings.seed
                )
                books.questions.put(key, questions=found)
        except Parked as error:
            parking(f"{key} questions", str(error))
            continue
        for number, each in enumerate(books.questions[key]["questions"], start=1):
            id = f"made/{type}-{number}"
            questions.append(Question(id, "made", type, each["ask"], each["expected"]))
        on_progress(f"{key}: questions made")
    await ask_all(life, questions, books.answers, on_progress, parking)
    try:
        await take_up_again(life, settings.turns, books.answers, on_progress)
    except Parked as error:
        parking(f"{life.key}: an old topic again", str(error))
    judgements = Judgements(life, books.answers, cast.judge.model).all()
    await grade(list(judgements), cast.judge, books.grades, on_progress, parking)


async def _people(
    folder: Path, first: list[Character], settings: Settings, user: Asker, parking: Parking
) -> list[Character]:
    """The people of the run, kept in its folder: given ones, then generated ones."""
    kept = folder / "characters"
    kept.mkdir(exist_ok=True)
    people: list[Character] = []
    for number in range(1, settings.users + 1):
        path = kept / f"{number:02}.yaml"
        if not path.exists():
            if number <= len(first):
                save(first[number - 1], path)
            else:
                # Of everybody who is kept: one who was parked comes after those who were not.
                taken = tuple(each.first_name for each in saved_people(folder))
                try:
                    seed = settings.seed * 1_000 + number * 20
                    save(await generate(user, seed=seed, taken=taken), path)
                except Parked as error:
                    parking(f"person {number}", str(error))
                    continue
        people.append(read(path))
    return people


def _made_from(
    config: Config, settings: Settings, cast: Cast, first: list[Character]
) -> dict[str, Any]:
    """What a folder's content depends on."""
    described = json.dumps([each.model_dump() for each in first])
    sections = ("persona", "dialog", "retrieval", "consolidation", "forgetting", "safety")
    return {
        **asdict(settings),
        **cast.names,
        # The arm without memory, the person and the judge see as much as fits.
        "context_tokens": [
            each.context_tokens for each in (cast.engines.active, cast.user.model, cast.judge.model)
        ],
        "inactive model": cast.engines.inactive.name,
        "embedder": cast.engines.embedder.name,
        "characters": hashlib.sha256(described.encode()).hexdigest(),
        **{name: getattr(config, name).model_dump(mode="json") for name in sections},
    }


def _document(
    folder: Path,
    people: list[Character],
    grades: Journal,
    parking: Parking,
    *,
    cast: Cast | None = None,
    judge: str | None = None,
) -> Document:
    """judge: who gave the grades; None: the run's own."""
    note = json.loads((folder / "made-from.json").read_text())
    settings = {key: note[key] for key in asdict(Settings())}
    models = {key: note[key] for key in ("companion", "user", "judge")}
    models["judge"] = judge or models["judge"]
    talks, answers = Journal(folder / "talks.jsonl"), Journal(folder / "answers.jsonl")
    given = [*talks.under(""), *answers.under("")]
    document = {
        "settings": settings,
        "models": models,
        "people": [each.name for each in people],
        "arms": scores.of_run(people, settings["arms"], talks, answers, grades),
        "published": published.TABLES,
        "differences": published.differences(settings, models, len(people)),
        "judgements": len(grades),
        "shortened": sum(record["shortened"] for record in grades.under("")),
        "said_by_code": sum(record.get("by_code", 0) for record in given),
        "parked": parking.items,
    }
    if cast is not None:
        document["spent"] = {"user": asdict(cast.user.spent), "judge": asdict(cast.judge.spent)}
    return document
