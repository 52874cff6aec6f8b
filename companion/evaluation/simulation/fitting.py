"""Talk cut to what a judge can read: from its beginning, and never without being noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.engines.protocols import ChatMessage, LanguageModel

LEFT_OUT = "(earlier lines are left out)"


def fitted(
    model: LanguageModel,
    lines: Sequence[str],
    prompt: Callable[[str], tuple[ChatMessage, ...]],
    *,
    answer_tokens: int,
) -> tuple[tuple[ChatMessage, ...], bool]:
    """The prompt over as many of the last lines as the model's context holds, and whether some
    had to be left out. When not even one line fits, the prompt is as it is: the model will say
    so."""
    room = model.context_tokens - answer_tokens
    whole = prompt("\n".join(lines))
    if model.count(whole) <= room:
        return whole, False
    least, most = 0, len(lines) - 1  # lines kept: `least` fits for sure, if anything does
    while least < most:
        middle = (least + most + 1) // 2
        if model.count(prompt(_last(lines, middle))) <= room:
            least = middle
        else:
            most = middle - 1
    return prompt(_last(lines, least)), True


def _last(lines: Sequence[str], number: int) -> str:
    return "\n".join([LEFT_OUT, *lines[len(lines) - number :]])
