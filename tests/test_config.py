"""The configuration: every mistake is one line that names file, line, key and what to do."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion import config
from companion.config import REPOSITORY, Config
from companion.errors import ConfigError
from companion.weights.manifest import Manifest
from companion.weights.needed import needed

SHIPPED = REPOSITORY / "config.yaml"


def write(directory: Path, text: str | bytes) -> Path:
    file = directory / "config.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refusal(file: Path, **options: Any) -> str:
    """The one line with which a file is refused, without its path."""
    with pytest.raises(ConfigError) as caught:
        config.load(file, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert str(file) in message
    return message.removeprefix(str(file)).lstrip(",: ")


def leaves(tree: dict[str, Any], above: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    found: dict[tuple[str, ...], Any] = {}
    for key, value in tree.items():
        place = (*above, key)
        found.update(leaves(value, place) if isinstance(value, dict) else {place: value})
    return found


# ---- the file that is shipped


def test_the_shipped_file_holds_every_default_and_nothing_else() -> None:
    written = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
    del written["profiles"]
    defaults = Config.model_construct().model_dump(mode="json", exclude={"profiles"})
    assert leaves(written) == leaves(defaults)


def test_every_key_of_the_shipped_file_stands_under_a_comment() -> None:
    text = SHIPPED.read_text(encoding="utf-8").split("\nprofiles:")[0]
    speaks_for_itself = {"name", "enabled", "character"}
    for before, line in itertools.pairwise(text.splitlines()):
        key = re.match(r"\s*(\w+): \S", line)
        if key and key[1] not in speaks_for_itself:
            assert before.lstrip().startswith("#"), f"no comment above {line!r}"


@pytest.mark.parametrize("profile", ["laptop", "desktop", "tiny", "jetson", "jetson-4b"])
def test_a_shipped_profile_names_models_that_can_be_fetched(profile: str) -> None:
    chosen = config.load(SHIPPED, profile=profile)
    assert chosen.profile == profile
    for voice, roles in ((False, ["llm", "embedder"]), (True, ["llm", "embedder", "stt", "tts"])):
        entries = needed(chosen, Manifest.load(), voice=voice)
        assert [entry.role for entry in entries] == roles


def test_the_jetson_profile_keeps_all_layers_on_the_gpu() -> None:
    llm = config.load(SHIPPED, profile="jetson").llm.active
    assert (llm.model, llm.gpu_layers, llm.prefill_slice) == ("qwen2.5-7b", -1, 512)


# ---- what is accepted


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "{}\n", "\ufeff"])
def test_a_file_without_keys_means_the_defaults(tmp_path: Path, text: str) -> None:
    loaded = config.load(write(tmp_path, text))
    assert loaded.persona.name == "Pip"
    assert loaded.data_dir == Path.home() / ".local/share/companion"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffpersona:\n  name: Zoë\n".encode(),
        "persona:\r\n  name: Zoë\r\n".encode(),
        "persona: {name: Zoë}".encode(),
    ],
    ids=["byte order mark", "windows line ends", "no line end"],
)
def test_ways_in_which_editors_write_the_same(tmp_path: Path, text: bytes) -> None:
    assert config.load(write(tmp_path, text)).persona.name == "Zoë"


def test_a_profile_wins_over_the_keys_above_it(tmp_path: Path) -> None:
    text = (
        "profile: mine\npersona: {name: Ada, listener: two children}\n"
        "profiles:\n  mine:\n    persona: {name: Bo}\n    llm: {active: {threads: 3}}\n"
    )
    loaded = config.load(write(tmp_path, text))
    assert (loaded.persona.name, loaded.persona.listener) == ("Bo", "two children")
    assert loaded.llm.active.threads == 3


def test_the_command_line_wins_over_the_file(tmp_path: Path) -> None:
    text = "profile: a\ndata_dir: /x\nprofiles:\n  a: {seed: 1}\n  b: {dialog: {seed: 2}}\n"
    text = text.replace("{seed: 1}", "{dialog: {seed: 1}}")
    loaded = config.load(write(tmp_path, text), profile="b", data_dir=tmp_path)
    assert (loaded.profile, loaded.dialog.seed, loaded.data_dir) == ("b", 2, tmp_path)


def test_a_profile_may_complete_what_the_keys_above_begin(tmp_path: Path) -> None:
    text = (
        "llm: {active: {url: 'http://127.0.0.1:8080/v1'}}\n"
        "profiles: {served: {llm: {active: {backend: openai}}}}\n"
    )
    assert config.load(write(tmp_path, text), profile="served").llm.active.backend == "openai"


def test_a_file_without_profiles_has_the_shipped_ones_under_its_own_keys(tmp_path: Path) -> None:
    file = write(tmp_path, "llm: {active: {threads: 3, prefill_slice: 32}}\n")
    llm = config.load(file, profile="jetson").llm.active
    assert (llm.model, llm.gpu_layers) == ("qwen2.5-7b", -1)
    assert (llm.threads, llm.prefill_slice) == (3, 32)


def test_the_home_directory_and_variables_are_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY", str(tmp_path))
    loaded = config.load(write(tmp_path, "data_dir: $TOY/data\nmodels_dir: ~/weights\n"))
    assert loaded.data_dir == tmp_path / "data"
    assert loaded.models_dir == Path.home() / "weights"


# ---- what is refused, and how

REFUSED: dict[str, tuple[str | bytes, str]] = {
    "unknown key at the top": (
        "persona: {}\npersonna: {}\n",
        "line 2: personna: unknown key; did you mean 'persona'?",
    ),
    "unknown nested key": (
        "llm:\n  active:\n    threads: 2\n    contxt_tokens: 2048\n",
        "line 4: llm.active.contxt_tokens: unknown key; did you mean 'context_tokens'?",
    ),
    "unknown key in an optional section": (
        "llm:\n  inactive:\n    modle: x\n",
        "line 3: llm.inactive.modle: unknown key; did you mean 'model'?",
    ),
    "unknown key like no other": ("zzz: 1\n", "line 1: zzz: unknown key"),
    "wrong type": (
        "dialog:\n  sentences: two\n",
        "line 2: dialog.sentences: Input should be a valid integer, unable to parse string as an "
        "integer, but it is 'two'",
    ),
    "out of range": (
        "dialog:\n  temperature: 9\n",
        "line 2: dialog.temperature: Input should be less than or equal to 2, but it is 9",
    ),
    "not a number": (
        "dialog:\n  deadline_s: .nan\n",
        "line 2: dialog.deadline_s: Input should be a finite number, but it is nan",
    ),
    "endless": (
        "dialog:\n  deadline_s: .inf\n",
        "line 2: dialog.deadline_s: Input should be a finite number, but it is inf",
    ),
    "text that YAML reads as something else": (
        "persona:\n  name: on\n",
        "line 2: persona.name: Input should be a valid string, but it is True; put it in quotes",
    ),
    "one of several words": (
        "retrieval:\n  mode: hybird\n",
        "line 2: retrieval.mode: Input should be 'paper' or 'hybrid', but it is 'hybird'",
    ),
    "a value where a section belongs": (
        "persona: Pip\n",
        "line 1: persona: must be a section of keys, but it is 'Pip'",
    ),
    "a section without keys": (
        "dialog:\npersona:\n  name: Bo\n",
        "line 1: dialog: must be a section of keys, but it is None",
    ),
    "a list where a value belongs": (
        "dialog:\n  seed: [1, 2]\n",
        "line 2: dialog.seed: Input should be a valid integer, but it is [1, 2]",
    ),
    "a server without an address": (
        "llm:\n  active:\n    backend: openai\n",
        "line 2: llm.active: backend openai needs url, e.g. http://127.0.0.1:8080/v1",
    ),
    "a huge value is not repeated whole": (
        f"dialog:\n  seed: {'x' * 100_000}\n",
        "line 2: dialog.seed: Input should be a valid integer, unable to parse string as an "
        f"integer, but it is '{'x' * 12}...{'x' * 13}'",
    ),
    "an unset variable": (
        "data_dir: $NO_SUCH_VARIABLE/x\n",
        "line 1: data_dir: names an environment variable that is not set: $NO_SUCH_VARIABLE/x, "
        "but it is '$NO_SUCH_VARIABLE/x'",
    ),
    "nobody's home": (
        "data_dir: ~nobody-of-that-name/x\n",
        "line 1: data_dir: names the home of a user that is not there, "
        "but it is '~nobody-of-that-name/x'",
    ),
    "nobody's home for a model": (
        "llm:\n  active:\n    file: ~nobody-of-that-name/x.gguf\n",
        "line 3: llm.active.file: names the home of a user that is not there, "
        "but it is '~nobody-of-that-name/x.gguf'",
    ),
    "no folder": ("data_dir: ''\n", "line 1: data_dir: is empty: name a folder, but it is ''"),
    "a date for a folder": (
        "data_dir: 2026-01-01\n",
        "line 1: data_dir: must be a path, but it is datetime.date(2026, 1, 1); put it in quotes",
    ),
    "a name that nobody can say": (
        "persona:\n  name: '  '\n",
        "line 2: persona.name: must be one line with a letter in it, but it is '  '",
    ),
    "a name of two lines": (
        'persona:\n  name: "Pip\\nSystem:"\n',
        "line 2: persona.name: must be one line with a letter in it, but it is ",
    ),
    "a word where a list belongs": (
        "persona:\n  rules: Be kind.\n",
        "line 2: persona.rules: Input should be a list: [a, b], but it is 'Be kind.'",
    ),
    "unknown profile": (
        "profile: lapdog\nprofiles: {laptop: {}}\n",
        "line 1: profile: there is no profile 'lapdog'; did you mean 'laptop'?; ",
    ),
    "unknown key in a profile": (
        "persona: {}\nprofiles:\n  mine:\n    llm:\n      active:\n        modle: x\n",
        "line 6: profiles.mine.llm.active.modle: unknown key; did you mean 'model'?",
    ),
    "wrong type in a profile that is not chosen": (
        "profile: a\nprofiles:\n  a: {}\n  b:\n    dialog:\n      seed: one\n",
        "line 6: profiles.b.dialog.seed: Input should be a valid integer, unable to parse string "
        "as an integer, but it is 'one'",
    ),
    "a profile without keys": (
        "profiles:\n  mine:\n",
        "line 2: profiles.mine: must be a section of keys, but it is None",
    ),
    "a profile that chooses a profile": (
        "profiles:\n  mine:\n    profile: laptop\n",
        "line 2: profiles.mine: an overlay cannot have the key 'profile'",
    ),
    "a key twice": (
        "persona:\n  name: A\ndialog: {}\npersona:\n  listener: B\n",
        "line 4: persona stands here for the second time; the first is in line 1",
    ),
    "tabs": (
        "persona:\n\tname: Bo\n",
        "line 2: not valid YAML: found character '\\t' that cannot start any token; indent with "
        "spaces, not tabs",
    ),
    "an open bracket": (
        "persona: {name: Bo\n",
        "line 2: not valid YAML: expected ',' or '}', but got '<stream end>'",
    ),
    "a NUL byte": ("a: 1\nb: \0\n", "line 2: holds a control character; delete it"),
    "another encoding": ("persona: {name: Zoë}\n".encode("utf-16"), "is not UTF-8 text"),
    "a binary file": (b"GGUF\x03\xff\xfe\x00", "is not UTF-8 text; save it as UTF-8"),
    "a list": ("- persona\n- dialog\n", "line 1: must hold 'key: value' lines"),
    "one word": ("hello\n", "line 1: must hold 'key: value' lines, as config.yaml"),
    "two documents": ("a: 1\n---\nb: 2\n", "line 2: not valid YAML: but found another document"),
    "a Python object": (
        "persona: !!python/object/apply:os.system [true]\n",
        "line 1: not valid YAML: could not determine a constructor for the tag ",
    ),
    "a section inside itself": ("llm: &a\n  active: *a\n", "line 1: refers to itself"),
    "an undefined alias": ("llm: *a\n", "line 1: not valid YAML: found undefined alias 'a'"),
    "an impossible date": ("profile: 2026-99-99\n", "holds a value that cannot be read: "),
    "too deep": (f"a: {'[' * 1500}", "is nested too deeply"),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str | bytes, expected: str) -> None:
    assert refusal(write(tmp_path, text)).startswith(expected)


def test_an_unknown_profile_on_the_command_line_is_not_blamed_on_a_line(tmp_path: Path) -> None:
    file = write(tmp_path, "profile: auto\nprofiles: {laptop: {}, tiny: {}}\n")
    expected = f"--profile: there is no profile 'tinny'; did you mean 'tiny'?; {file} and "
    assert refusal(file, profile="tinny").startswith(expected)


def test_a_shipped_profile_serves_a_file_without_it_under_the_files_own_keys(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, "llm: {active: {threads: 7}}\n")
    tiny = config.load(file, profile="tiny")
    assert tiny.llm.active.model == config.load(SHIPPED, profile="tiny").llm.active.model
    assert tiny.llm.active.threads == 7


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.yaml") == "no such file; name one with --config FILE"


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "cannot be read: Is a directory"


def test_mutations_of_the_shipped_file_load_or_are_refused_in_one_line(tmp_path: Path) -> None:
    """Fifty lines changed at random: whatever happens, it is not a traceback."""
    chance = random.Random(5)
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()
    keyed = [n for n, line in enumerate(lines) if re.match(r"\s*\w+:", line)]
    mutations: list[Callable[[str], str]] = [
        lambda line: line.replace(":", "", 1),
        lambda line: line.replace(":", " :\t", 1),
        lambda line: line[: len(line) // 2],
        lambda line: " " + line,
        lambda line: line + " ]",
        lambda line: line.split(":")[0] + "x: 1",
        lambda line: line.split(":")[0] + ": {unexpected: [1, {}]}",
        lambda line: line.split(":")[0] + ": \x07",
        lambda line: line.split(":")[0] + ": '" + "é" * 3000 + "'",
        lambda line: line.split(":")[0] + ": -1e999",
    ]
    messages = []
    for mutate in mutations * 5:
        number = chance.choice(keyed)
        changed = [*lines[:number], mutate(lines[number]), *lines[number + 1 :]]
        file = write(tmp_path, "\n".join(changed))
        try:
            config.load(file, profile="laptop")
        except ConfigError as error:
            messages.append(str(error))
    assert len(messages) >= 30
    assert all("\n" not in message and len(message) < 500 for message in messages)
