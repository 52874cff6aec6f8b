"""Messages to token ids, with the ids of every message kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from companion.engines.llama.chat_format import ChatFormat
from companion.engines.llama.vocabulary import Vocabulary
from companion.engines.protocols import ChatMessage, ChatRole


class PromptTokens:
    """Puts prompts together from the ids of their parts.

    A text's ids depend on the text alone, so the same messages are the same ids in any process.
    The exception is asked for with `remember`: an answer's text keeps the ids it was generated
    with, because those lie in the KV cache. `prompt` is safe from several threads at once.
    """

    def __init__(self, vocabulary: Vocabulary, form: ChatFormat, *, room: int) -> None:
        """`room`: ids kept, over all messages; the least recently used are forgotten first."""
        self._vocabulary = vocabulary
        self._has_system = form.has_system
        self._start = vocabulary.template(form.start)
        self._prefix = {role: vocabulary.template(text) for role, text in form.prefix.items()}
        self._suffix = {role: vocabulary.template(text) for role, text in form.suffix.items()}
        self._kept: OrderedDict[tuple[ChatRole, str], list[int]] = OrderedDict()
        self._kept_ids = 0
        self._room = room
        self._lock = threading.Lock()

    def prompt(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[int]:
        """All ids of a conversation; with `answer`, up to where the model begins to speak."""
        ids = list(self._start)
        for role, texts in self._spoken(messages):
            ids += self._prefix[role]
            for index, message in enumerate(texts):
                if index:
                    ids += self._vocabulary.plain("\n\n")
                ids += self._message(message)
            ids += self._suffix[role]
        if answer:
            ids += self._prefix["assistant"]
        return ids

    def remember(self, text: str, ids: Sequence[int]) -> None:
        """An answer with this text has these ids, unless it has others already.

        Ids that say more than the text (a stop string was cut off) are not kept.
        """
        if b"".join(map(self._vocabulary.piece, ids)) == text.encode():
            with self._lock:
                self._keep(("assistant", text), list(ids))

    def _spoken(
        self, messages: Sequence[ChatMessage]
    ) -> Iterator[tuple[ChatRole, list[ChatMessage]]]:
        """Each message; without a system role, its text opens the next user message."""
        waiting: list[ChatMessage] = []
        for message in messages:
            if message.role == "system" and not self._has_system:
                waiting.append(message)
            elif message.role == "user":
                yield "user", [*waiting, message]
                waiting = []
            else:
                yield message.role, [message]
        if waiting:
            yield "user", waiting

    def _message(self, message: ChatMessage) -> list[int]:
        key = (message.role, message.text)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        ids = self._vocabulary.plain(message.text)
        with self._lock:
            self._keep(key, ids)
        return ids

    def _keep(self, key: tuple[ChatRole, str], ids: list[int]) -> None:
        if key in self._kept or len(ids) > self._room:
            return
        self._kept[key] = ids
        self._kept_ids += len(ids)
        while self._kept_ids > self._room:
            _, forgotten = self._kept.popitem(last=False)
            self._kept_ids -= len(forgotten)
