"""An answer as the paper's system gives it (section 4.2, appendix B.2 in our words).

Everything that is known stands in the system prompt: the profile, the memories that are near
enough, and turns of this talk from before the window, with their neighbours. The window of recent
messages follows. A question counts as the next thing said in the last talk, so that there is a
window; nothing of our rules for reading notes is in the prompt.
"""

from __future__ import annotations

from companion.config import Config, PersonaSection
from companion.dialog import prompt
from companion.dialog.persona import about
from companion.dialog.reply import TurnResult
from companion.dialog.window import Exchange
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.evaluation.raw import generated, recent_turns
from companion.recall.protocol import EMPTY, Query, RecallResult, Recalls
from companion.records import Profile
from companion.safety.sanitize import sanitized
from companion.store import profile
from companion.store.database import Store

MANNERS = """\
You are here as a friend who likes to learn and play. Be loving, safe and fun. Answer in one or \
two short sentences that a child understands, warm and calm.

What to do:
- Talk about whatever they like, and encourage curiosity, stories and play.
- If you do not know something, say so gently, and wonder about it together.
- Your words are spoken aloud: no asterisks, no sounds or movements written out.
- Ask one question at a time, and none that you have asked before.

What to keep safe:
- Nothing unfit for children; nothing scary, violent or upsetting.
- No advice about dangerous things; lead gently to something safe and playful."""

MEMORIES = "What you know about them from earlier talks:"


async def published_reply(
    config: Config, store: Store, model: LanguageModel, recall: Recalls, words: str
) -> TurnResult:
    """The answer to a question asked right after the last talk. Stores nothing."""
    turns = await recent_turns(config, store)
    found = await recall.recall(
        Query(
            words,
            session=turns[-1].session if turns else None,
            shown=frozenset((turn.session, turn.number) for turn in turns),
        )
    )
    known = await store.read(profile.current)
    head = [ChatMessage("system", system_text(config.persona, known, found))]
    messages, *_ = prompt.fit(
        model,
        head,
        tuple(Exchange.of(turn) for turn in turns),
        words,
        EMPTY,
        reply_tokens=config.dialog.reply_tokens,
    )
    return await generated(config, model, messages, found.items)


def system_text(persona: PersonaSection, known: Profile, found: RecallResult) -> str:
    """The system prompt of one answer."""
    who = f"You are {persona.name}, an AI companion. You are talking with {persona.listener}."
    parts = [f"{who} {MANNERS}", about(known)]
    if found.block:
        lines = "\n".join(sanitized(line) for line in found.block.split("\n"))
        parts.append(f"{MEMORIES}\n{lines}")
    return "\n\n".join(filter(None, parts))
