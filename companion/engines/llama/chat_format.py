"""The pieces of a chat template that stand before and after a message's text.

A GGUF carries its chat template as a Jinja program over whole conversations. Rendering the
whole conversation anew each turn would tokenize it anew, and token boundaries may move; so the
template is rendered once, over texts that can be found again, and taken apart into what stands
before and after each role's text. A prompt is then put together from token ids, message by
message, and a person's words can never become special tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NoReturn

from jinja2 import TemplateError
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion.engines.protocols import ChatRole
from companion.errors import EngineError

SYSTEM, FIRST, ANSWER, SECOND = (f"\x02{name}\x03" for name in "safb")
"""Texts that no template writes by itself."""


@dataclass(frozen=True)
class ChatFormat:
    """What is written around messages. Everything here may hold special tokens."""

    prefix: Mapping[ChatRole, str]
    suffix: Mapping[ChatRole, str]
    start: str = ""
    """Before the first message."""

    @property
    def has_system(self) -> bool:
        """False: the template knows no system role; its text opens the first user message."""
        return "system" in self.prefix


def chatml() -> ChatFormat:
    """The format of Qwen, SmolLM2 and many others."""
    roles: tuple[ChatRole, ...] = ("system", "user", "assistant")
    return ChatFormat(
        prefix={role: f"<|im_start|>{role}\n" for role in roles},
        suffix=dict.fromkeys(roles, "<|im_end|>\n"),
    )


def from_template(template: str, *, begin: str, end: str) -> ChatFormat:
    """Take a Jinja chat template apart.

    `begin` and `end` are the texts of the model's begin- and end-of-sequence tokens, which
    templates ask for. A default system prompt that a template adds when it is given none
    (Qwen2.5, SmolLM2) does not become part of the format. Raises EngineError.
    """
    render = _Renderer(template, begin=begin, end=end)
    try:
        return _with_system(render, begin)
    except _DoesNotFit:
        pass
    try:
        return _without_system(render, begin)
    except _DoesNotFit as error:
        raise EngineError(
            f"the model's chat template cannot be taken apart ({error}); use another model file"
        ) from None


class _DoesNotFit(Exception):
    """The template does not write conversations as a row of messages."""


class _Renderer:
    """Renders a chat template as transformers does (its names and helpers)."""

    def __init__(self, template: str, *, begin: str, end: str) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
        )
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = lambda form: (
            datetime.now().astimezone().strftime(form)
        )
        try:
            self._template = environment.from_string(template)
        except TemplateError as error:
            raise EngineError(f"the model's chat template is not valid Jinja: {error}") from None
        self._names = {"bos_token": begin, "eos_token": end, "enable_thinking": False}

    def __call__(self, *texts: str, answer: bool = False) -> str:
        messages: list[dict[str, str]] = []
        for text in texts:
            role = {SYSTEM: "system", ANSWER: "assistant"}.get(text, "user")
            messages.append({"role": role, "content": text})
        try:
            return self._template.render(
                messages=messages, add_generation_prompt=answer, **self._names
            )
        except (TemplateError, TypeError, ValueError, LookupError) as error:
            raise _DoesNotFit(f"it fails: {error}") from None


def _refuse(message: str) -> NoReturn:
    raise TemplateError(message)


def _with_system(render: _Renderer, begin: str) -> ChatFormat:
    alternating = _user_and_assistant(render, SYSTEM)
    rendered = render(SYSTEM, FIRST)
    head = _between(rendered, None, SYSTEM)
    gap = _between(rendered, SYSTEM, FIRST)
    user_prefix = alternating.prefix["user"]
    if not gap.endswith(user_prefix):
        raise _DoesNotFit("the system text is not a message of its own")
    start = _start(head, begin, user_prefix)
    return ChatFormat(
        prefix={"system": head[len(start) :], **alternating.prefix},
        suffix={"system": gap[: len(gap) - len(user_prefix)], **alternating.suffix},
        start=start,
    )


def _without_system(render: _Renderer, begin: str) -> ChatFormat:
    alternating = _user_and_assistant(render)
    # What else stands before the first message is a default system prompt: left out.
    head = _between(render(FIRST), None, FIRST)
    return replace(alternating, start=_start(head, begin, alternating.prefix["user"]))


def _start(head: str, begin: str, user_prefix: str) -> str:
    """The begin token, if it opens conversations; in ChatML it may open every message."""
    return begin if head.startswith(begin) and not user_prefix.startswith(begin) else ""


def _user_and_assistant(render: _Renderer, *lead: str) -> ChatFormat:
    """The format of a conversation after `lead`, without what opens it."""
    user_suffix = _between(render(*lead, FIRST), FIRST, None)
    asking = _between(render(*lead, FIRST, answer=True), FIRST, None)
    # The opening of an answer is also put before past answers. Some templates write those
    # differently (without the empty thoughts), which would void the cache at each turn.
    assistant_prefix = _without_start(asking, user_suffix)
    assistant_suffix = _between(render(*lead, FIRST, ANSWER), ANSWER, None)
    again = _between(render(*lead, FIRST, ANSWER, SECOND), ANSWER, SECOND)
    user_prefix = _without_start(again, assistant_suffix)
    whole = render(*lead, FIRST, ANSWER, SECOND, answer=True)
    if not whole.endswith(f"{user_prefix}{SECOND}{user_suffix}{assistant_prefix}"):
        raise _DoesNotFit("a message is not written alike everywhere")
    return ChatFormat(
        prefix={"user": user_prefix, "assistant": assistant_prefix},
        suffix={"user": user_suffix, "assistant": assistant_suffix},
    )


def _between(rendered: str, left: str | None, right: str | None) -> str:
    """What stands between two texts; None is the start or the end."""
    start = 0 if left is None else rendered.find(left)
    stop = len(rendered) if right is None else rendered.find(right)
    if start < 0 or stop < start:
        raise _DoesNotFit("it leaves a message out")
    return rendered[start + len(left or "") : stop]


def _without_start(text: str, start: str) -> str:
    if not text.startswith(start):
        raise _DoesNotFit("a message ends differently when another follows")
    return text[len(start) :]
