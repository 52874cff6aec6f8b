"""Text to token ids and back, for one llama.cpp model."""

from __future__ import annotations

import ctypes
from typing import Any

import llama_cpp as native

LONGEST_PIECE = 512
"""Bytes of the longest token text that is asked for first; a longer one is asked for again."""


class Vocabulary:
    """The tokenizer of a loaded model. Tokenizing is safe from several threads at once."""

    def __init__(self, model: Any) -> None:
        self.pointer = native.llama_model_get_vocab(model)
        self.size: int = native.llama_vocab_n_tokens(self.pointer)
        self._piece = ctypes.create_string_buffer(LONGEST_PIECE)

    def plain(self, text: str) -> list[int]:
        """Ids of words that somebody said: `<|im_start|>` among them is seven characters.

        NUL bytes are text like any other; lone surrogates become question marks.
        """
        return self._tokenize(text, special=False)

    def template(self, text: str) -> list[int]:
        """Ids of a piece of the chat template, in which special tokens are what they are."""
        return self._tokenize(text, special=True)

    def piece(self, token: int) -> bytes:
        """The bytes of one token: perhaps part of a character, perhaps none."""
        length = native.llama_token_to_piece(
            self.pointer, token, self._piece, len(self._piece), 0, False
        )
        if length < 0:
            self._piece = ctypes.create_string_buffer(-length)
            return self.piece(token)
        return self._piece.raw[:length]

    def ends_answer(self, token: int) -> bool:
        """End of generation; or a control token, which no answer may contain."""
        return bool(
            native.llama_vocab_is_eog(self.pointer, token)
            or native.llama_vocab_is_control(self.pointer, token)
        )

    def text_of(self, token: int) -> str:
        """How a special token is written; empty for the id -1 (the model has none)."""
        if token < 0:
            return ""
        text: bytes = native.llama_vocab_get_text(self.pointer, token)
        return text.decode("utf-8", "replace")

    @property
    def begin(self) -> str:
        """The text of the begin-of-sequence token, or nothing."""
        return self.text_of(native.llama_vocab_bos(self.pointer))

    @property
    def end(self) -> str:
        """The text of the end-of-sequence token, or nothing."""
        return self.text_of(native.llama_vocab_eos(self.pointer))

    @property
    def wants_begin(self) -> bool:
        """True when the model was trained with the begin token before every prompt."""
        return bool(native.llama_vocab_get_add_bos(self.pointer))

    def _tokenize(self, text: str, *, special: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        ids = (native.llama_token * room)()
        count = native.llama_tokenize(self.pointer, data, len(data), ids, room, False, special)
        if count < 0:
            room = -count
            ids = (native.llama_token * room)()
            count = native.llama_tokenize(self.pointer, data, len(data), ids, room, False, special)
        return list(ids[:count])
