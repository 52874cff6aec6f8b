"""The manifest: what is pinned, and what a mistake in it looks like."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from companion.config import REPOSITORY
from companion.errors import ConfigError, UsageError
from companion.weights.manifest import HubFile, Manifest, WheelPart

SHIPPED = REPOSITORY / "models" / "manifest.yaml"


def test_every_file_of_a_hub_is_pinned_to_a_commit() -> None:
    sources = [s for e in Manifest.load() for f in e.files for s in f.sources]
    revisions = [s.revision for s in sources if isinstance(s, HubFile)]
    assert revisions
    assert all(re.fullmatch(r"[0-9a-f]{40}", revision) for revision in revisions)


def test_the_readme_tells_of_every_model() -> None:
    text = (REPOSITORY / "models" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{entry.name}`" in text for entry in Manifest.load())


def test_an_llm_is_given_as_its_first_file_and_an_embedder_as_its_folder(tmp_path: Path) -> None:
    manifest = Manifest.load()
    first = "qwen2.5-7b-instruct-q4_k_m-00001-of-00002.gguf"
    assert manifest.path("qwen2.5-7b", tmp_path) == tmp_path / "qwen2.5-7b" / first
    assert manifest.path("minilm-int8", tmp_path) == tmp_path / "minilm-int8"


def test_an_unknown_name_brings_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no model 'minilm-int9'; did you mean 'minilm-int8'\?"):
        Manifest.load()["minilm-int9"]


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../b", ""])
def test_no_path_leaves_its_folder(path: str) -> None:
    with pytest.raises(ValidationError):
        HubFile(repository="a/b", revision="main", path=path)
    with pytest.raises(ValidationError):
        WheelPart(package="a==1", member=path, size=1)


@pytest.mark.parametrize("package", ["a", "a>=1", "a==1 --index-url=x", "-r==1 x", "a @ http://x"])
def test_a_package_is_a_name_and_an_exact_version(package: str) -> None:
    with pytest.raises(ValidationError):
        WheelPart(package=package, member="x", size=1)


@pytest.mark.parametrize("text", ["", "models: 3", "[]", "models: {a: 1}", "models: {a: {}}", "{"])
def test_a_broken_manifest_is_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(str(file))) as caught:
        Manifest.load(file)
    assert "\n" not in str(caught.value)


def test_parts_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    tree = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
    parts = tree["models"]["qwen2.5-coder-0.5b"]["files"][0]["sources"][1]["parts"]
    del parts[3]
    file = tmp_path / "manifest.yaml"
    file.write_text(yaml.safe_dump(tree))
    with pytest.raises(ConfigError, match=r"parts are .* bytes, file is 491400064"):
        Manifest.load(file)
