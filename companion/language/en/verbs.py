"""Verbs with forms of their own, and what shows the past."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)

HAPPENED = _TABLE.pattern("happened")
"""A verb that tells of something that happened."""

PAST = _TABLE.pattern("past")
"""A verb in the past tense, or a participle that looks like one."""

IRREGULAR = _TABLE.mapping("past_form") | _TABLE.mapping("other_form")
"""Irregular forms, each with its verb."""
