"""Reading packs: what is right is read, what is wrong is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.repertoire.packs import MOST_BYTES, read_file
from companion.safety.wording import wording

GOOD = """
theme: kites
entries:
  - id: kite-flew
    says: [my kite flew, the kite went up, i flew a kite]
    not: [my kite is stuck]
    replies: [Up it went!, "Well flown, {name}!"]
    follow: [How high?]
    ages: [4, 9]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "kites.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_an_entry_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    (entry,) = read_file(written(tmp_path, GOOD))
    assert entry.id == "kites/kite-flew"
    assert entry.says[0] == "my kite flew"
    assert entry.unlike == ("my kite is stuck",)
    assert entry.suits(4)
    assert entry.suits(None)
    assert not entry.suits(11)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: kite-flew", "id: Kite Flew", "id must be lower-case"),
        ("says: [my kite flew, the kite went up, i flew a kite]", "says: [a]", "give 3 to"),
        ("the kite went up", "yes", "put it in quotes"),
        ("the kite went up", "My kite flew", "stands there twice"),
        ("my kite is stuck", "My kite flew!", "choose one"),
        ("Up it went!", "'{name}, up!'", "every reply has {name}"),
        ("Up it went!", "'Up, {friend}!'", "{name} is the only slot"),
        ("Up it went!", "'Well flown, {name}!'", "two replies are the same"),
        ("ages: [4, 9]", "ages: [9, 4]", "ages must be"),
        ("ages: [4, 9]", "age: 4", "unknown key 'age'"),
        ("ages: [4, 9]", "family: pagan", "family must be one of"),
        ("ages: [4, 9]", "alone: 1", "alone must be true or false"),
        ("ages: [4, 9]", "alone: true\n    after_question: true", "exclude each other"),
        ("theme: kites", "themes: kites", "unknown key 'themes'"),
        ("Up it went!", "!!python/object/apply:os.system ['true']", "not a plain YAML file"),
        ("entries:", "entries: &a [*a]\nmore:", "unknown key 'more'"),
        ("Up it went!", "'" + "up " * 200 + "'", "a text of 600 characters"),
        ("theme: kites", "theme: [kites", "not a plain YAML file"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GOOD
    file = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(InputError) as raised:
        read_file(file)
    message = str(raised.value)
    assert message.startswith(str(file))
    assert told in message
    assert "\n" not in message


def test_two_entries_alike_are_refused(tmp_path: Path) -> None:
    second = GOOD.partition("entries:\n")[2].replace("kite-flew", "kite-up")
    with pytest.raises(InputError, match="'kite-flew' and 'kite-up' both have 'my kite flew'"):
        read_file(written(tmp_path, GOOD + second))
    with pytest.raises(InputError, match="two entries are called 'kite-flew'"):
        read_file(written(tmp_path, GOOD + second.replace("kite-up", "kite-flew")))


def test_entries_for_different_families_or_ages_may_be_alike(tmp_path: Path) -> None:
    second = GOOD.partition("entries:\n")[2].replace("kite-flew", "kite-up")
    assert len(read_file(written(tmp_path, GOOD + second.replace("[4, 9]", "[10, 12]")))) == 2


def test_a_megabyte_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="make two of it"):
        read_file(written(tmp_path, GOOD + "#" * MOST_BYTES))


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a: " + b"[" * 5000, b"", b"- 1"])
def test_what_is_no_pack_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "kites.yaml"
    file.write_bytes(data)
    with pytest.raises(InputError):
        read_file(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_file(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Night niiight, Pip!", "night night"),
        ("Pip", "pip"),
        ("hey pip, what's up Pip", "hey pip what is up"),
        ("I'm autistic", "i am autistic"),
    ],
)
def test_wordings_lose_marks_and_the_name_that_only_calls(text: str, plain: str) -> None:
    assert wording(text, "Pip") == plain
