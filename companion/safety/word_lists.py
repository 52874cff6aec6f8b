"""The words that `normalize` knows, and their other forms: `word_lists.yaml`, `word_forms.yaml`."""

from __future__ import annotations

from pathlib import Path

from companion.language.tables import Table

_LISTS = Table.beside(__file__)
_FORMS = Table(Path(__file__).with_name("word_forms.yaml"))

CRITICAL = _LISTS.words("critical")
"""Critical words, of which misspellings are corrected."""

ORDINARY = _LISTS.words("ordinary")
"""Words that stay as they are, however close to a critical one."""

JOINABLE = (CRITICAL | _LISTS.words("joinable")) - _LISTS.words("not_joinable")
"""The words that a run-together word may consist of."""

PAIRED = _LISTS.words("paired")
"""One of these shows that a word was really two."""

SAME_AS = {
    **_FORMS.mapping("family"),
    **_FORMS.mapping("short_forms"),
    **_FORMS.mapping("spellings"),
    **_FORMS.mapping("regional"),
}
"""Other ways to say a word, each with the form that the patterns use."""

MISHEARD: tuple[tuple[str, str], ...] = (
    *((f" {wrong} ", f" {right} ") for wrong, right in _FORMS.mapping("misheard").items()),
    *((f" {word} knot ", f" {word} not ") for word in _FORMS.ordered("before_not")),
    *((f" {word} wood ", f" {word} would ") for word in _FORMS.ordered("before_would")),
)
"""What transcribers write for critical words. Both sides have a blank at either end."""
