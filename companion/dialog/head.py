"""The head of the prompts of one session, and when it changes."""

from __future__ import annotations

from companion.config import DialogSection, PersonaSection
from companion.dialog import prompt
from companion.dialog.abilities import Abilities
from companion.dialog.conversation import Conversation
from companion.dialog.persona import head_of
from companion.dialog.user_profile import UserProfile
from companion.dialog.window import Window
from companion.engines.protocols import ChatMessage, LanguageModel


class SessionHead:
    """System message and examples, for what was known of the person when the session began."""

    def __init__(
        self,
        model: LanguageModel,
        persona: PersonaSection,
        dialog: DialogSection,
        profile: UserProfile,
        abilities: Abilities,
    ) -> None:
        self._model = model
        self._persona = persona
        self._section = dialog
        self._profile = profile
        self._abilities = abilities
        self.messages: tuple[ChatMessage, ...] | None = None
        """None until a session is begun."""

    async def begin(self, talk: Conversation) -> tuple[ChatMessage, ...]:
        """With the profile as it is now. Raises ContextTooSmall."""
        self.messages = None
        head = await self.refresh(talk)
        prompt.check_context(self._model, head, reply_tokens=self._section.reply_tokens)
        return head

    async def refresh(self, talk: Conversation, before: Window = ()) -> tuple[ChatMessage, ...]:
        """Bring window and head up to date, between turns. before: the window at the beginning of
        the turn. Only where the window has been cut, so that all of it is read again anyway, does
        the head take up what was learnt; until then, that stands in the window in the person's own
        words."""
        known = await self._profile.current()
        newest = head_of(self._persona, known, self._section.sentences, self._abilities)
        talk.window = prompt.leave_room(
            self._model, newest, talk.window, reply_tokens=self._section.reply_tokens
        )
        if self.messages is None or (before and talk.window[:1] != before[:1]):
            self.messages = newest
        return self.messages
