"""Chat templates taken apart. The templates are shortened from those of published models."""

from __future__ import annotations

import pytest

from companion.engines.llama.chat_format import ChatFormat, chatml, from_template
from companion.errors import EngineError

QWEN = """
{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
{%- else %}
    {{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'user' or (message.role == 'system' and not loop.first)
           or message.role == 'assistant' %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

QWEN3_2507 = """
{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>' + message.role + '\\n' + content }}
        {{- '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate') }}{% endif %}"
    "{% set role = 'model' if message['role'] == 'assistant' else message['role'] %}"
    "{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)

LLAMA_2 = (
    "{% if messages[0]['role'] == 'system' %}"
    "{% set lead = '<<SYS>>\n' + messages[0]['content'] + '\n<</SYS>>\n\n' %}"
    "{% set loop_messages = messages[1:] %}"
    "{% else %}{% set lead = '' %}{% set loop_messages = messages %}{% endif %}"
    "{% for message in loop_messages %}{% if message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + (lead if loop.first else '') + message['content'] + ' [/INST]' }}"
    "{% else %}{{ ' ' + message['content'] + ' ' + eos_token }}{% endif %}{% endfor %}"
)

LLAMA_3 = (
    "{% for message in messages %}{% set content = '<|start_header_id|>' + message['role']"
    " + '<|end_header_id|>\n\n' + message['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.first %}{% set content = bos_token + content %}{% endif %}{{ content }}"
    "{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)

THINKING = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
    "{% if enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}"
)


def _written(form: ChatFormat, *messages: tuple[str, str]) -> str:
    parts = [form.start]
    for role, text in messages:
        parts += [form.prefix[role], text, form.suffix[role]]  # type: ignore[index]
    return "".join([*parts, form.prefix["assistant"]])


def test_chatml_is_found_in_qwens_template_without_its_own_system_prompt() -> None:
    form = from_template(QWEN, begin="<|endoftext|>", end="<|im_end|>")
    assert form == chatml()
    assert "Alibaba" not in _written(form, ("user", "hi"))


def test_chatml_is_found_in_the_template_of_qwen3_that_does_not_think() -> None:
    form = from_template(QWEN3_2507, begin="<|endoftext|>", end="<|im_end|>")
    assert form == chatml()
    assert _written(form, ("user", "hi")) == (
        "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_begin_token_that_opens_every_message_belongs_to_the_messages() -> None:
    form = from_template(QWEN, begin="<|im_start|>", end="<|im_end|>")
    assert form == chatml()


def test_a_begin_token_comes_once() -> None:
    form = from_template(LLAMA_3, begin="<|begin_of_text|>", end="<|eot_id|>")
    assert form.has_system
    assert _written(form, ("system", "S"), ("user", "U")) == (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_a_template_that_refuses_a_system_role_has_none() -> None:
    form = from_template(GEMMA, begin="<bos>", end="<eos>")
    assert not form.has_system
    assert _written(form, ("user", "U"), ("assistant", "A"), ("user", "V")) == (
        "<bos><start_of_turn>user\nU<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n"
        "<start_of_turn>user\nV<end_of_turn>\n<start_of_turn>model\n"
    )


def test_a_template_that_puts_the_system_text_into_the_question_has_no_system_role() -> None:
    form = from_template(LLAMA_2, begin="<s>", end="</s>")
    assert not form.has_system
    assert _written(form, ("user", "U"), ("assistant", "A"), ("user", "V")) == (
        "<s>[INST] U [/INST]A </s><s>[INST] V [/INST]"
    )


def test_past_answers_open_as_new_ones_do() -> None:
    form = from_template(THINKING, begin="", end="<|im_end|>")
    assert form.prefix["assistant"] == "<|im_start|>assistant\n<think>\n\n</think>\n\n"


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("{% for %}", "not valid Jinja"),
        ("no messages at all", "cannot be taken apart"),
        ("{{ raise_exception('only for completion') }}", "only for completion"),
        ("{{ messages[0].content }}", "cannot be taken apart"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "cannot be taken apart"),
    ],
)
def test_a_template_that_fits_no_conversation_is_refused(template: str, complaint: str) -> None:
    with pytest.raises(EngineError, match=complaint):
        from_template(template, begin="", end="")
