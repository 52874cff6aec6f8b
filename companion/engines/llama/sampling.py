"""The choice of the next token, by llama.cpp's own samplers, within a grammar if one is given."""

from __future__ import annotations

import ctypes
import json
from typing import Any, cast

import llama_cpp as native
import numpy as np
from llama_cpp.llama_grammar import json_schema_to_gbnf
from numpy.typing import NDArray

from companion.engines.llama.library import forget_errors, why
from companion.engines.llama.vocabulary import Vocabulary
from companion.engines.protocols import Options
from companion.errors import EngineError

# The defaults of llama.cpp's own command line, for temperatures above 0.
TOP_K = 40
TOP_P = 0.95
MIN_P = 0.05

CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""llama_token_data of llama.h."""


class Sampler:
    """Chooses tokens for one answer. Must be freed.

    A grammar test of the whole vocabulary costs 13 to 16 ms per token with 151,936 tokens. The
    token is therefore chosen freely first, and only that one is tested; when the grammar refuses
    it, the choice is made again among the tokens that the grammar allows.

    A schema says nothing of length unless it bounds strings (`maxLength`) and arrays
    (`maxItems`): a weak model then writes on until `Options.max_tokens`.
    """

    def __init__(self, vocabulary: Vocabulary, options: Options) -> None:
        """Raises EngineError for a grammar or schema that cannot be used."""
        self._candidates = np.zeros(vocabulary.size, dtype=CANDIDATE)
        self._every_id = np.arange(vocabulary.size, dtype=np.int32)
        self._grammar = _grammar(vocabulary, options)
        self._chain = chain(options)

    def choose(self, logits: NDArray[np.float32]) -> int:
        """The next token, given every token's logit."""
        token = self._choose(logits, None)
        if self._grammar is None:
            return token
        if not self._allows(token):
            token = self._choose(logits, self._grammar)
        native.llama_sampler_accept(self._grammar, token)
        return token

    def free(self) -> None:
        native.llama_sampler_free(self._chain)
        if self._grammar is not None:
            native.llama_sampler_free(self._grammar)

    def _choose(self, logits: NDArray[np.float32], grammar: Any) -> int:
        self._candidates["id"] = self._every_id
        self._candidates["logit"] = logits
        self._candidates["p"] = 0
        view = _view(self._candidates)
        if grammar is not None:
            native.llama_sampler_apply(grammar, ctypes.byref(view))
        native.llama_sampler_apply(self._chain, ctypes.byref(view))
        return cast(int, view.data[view.selected].id)

    def _allows(self, token: int) -> bool:
        one = np.array([(token, 1.0, 0.0)], dtype=CANDIDATE)
        native.llama_sampler_apply(self._grammar, ctypes.byref(_view(one)))
        return bool(np.isfinite(one["logit"][0]))


def _view(candidates: NDArray[Any]) -> native.llama_token_data_array:
    return native.llama_token_data_array(
        data=candidates.ctypes.data_as(native.llama_token_data_p),
        size=len(candidates),
        selected=-1,
        sorted=False,
    )


def chain(options: Options) -> Any:
    """The samplers of an answer without a grammar; to be freed with `llama_sampler_free`."""
    made = native.llama_sampler_chain_init(native.llama_sampler_chain_default_params())
    if options.temperature <= 0:
        samplers = [native.llama_sampler_init_greedy()]
    else:
        samplers = [
            native.llama_sampler_init_top_k(TOP_K),
            native.llama_sampler_init_top_p(TOP_P, 1),
            native.llama_sampler_init_min_p(MIN_P, 1),
            native.llama_sampler_init_temp(options.temperature),
            native.llama_sampler_init_dist(options.seed % 2**32),
        ]
    for sampler in samplers:
        native.llama_sampler_chain_add(made, sampler)
    return made


def _grammar(vocabulary: Vocabulary, options: Options) -> Any:
    if options.grammar is not None and options.json_schema is not None:
        raise EngineError("give a grammar or a json_schema, not both")
    text = options.grammar
    if options.json_schema is not None:
        try:
            text = json_schema_to_gbnf(json.dumps(options.json_schema))
        except (ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
            raise EngineError(f"the json_schema cannot become a grammar: {error}") from None
    if text is None:
        return None
    forget_errors()
    grammar = native.llama_sampler_init_grammar(vocabulary.pointer, text.encode(), b"root")
    if not grammar:
        raise EngineError(f"the grammar cannot be used: {why()}")
    return grammar
