"""The doctor: what is well, what is not, and what mends it; it changes nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion import config
from companion.clock import SystemClock
from companion.config import Config
from companion.doctor.finding import Finding
from companion.doctor.machine import _end_of_selftest, examine, gives_way
from companion.engines.llama.devices import gpus
from companion.store.database import Store


async def diagnose(text: str, tmp_path: Path, *, selftest: bool = False) -> dict[str, Finding]:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    findings = await examine(lambda: config.load(file), SystemClock(), selftest=selftest)
    assert len({finding.name for finding in findings}) == len(findings)
    return {finding.name: finding for finding in findings}


def plain(tmp_path: Path, models_dir: Path, gguf: Path) -> str:
    return (
        f"data_dir: {tmp_path / 'data'}\nmodels_dir: {models_dir}\n"
        f"llm: {{active: {{file: {gguf}}}}}\n"
    )


async def test_a_machine_that_is_well(
    tmp_path: Path, llm_tiny_path: Path, embedder_dir: Path
) -> None:
    text = plain(tmp_path, embedder_dir.parent, llm_tiny_path)
    findings = await diagnose(text, tmp_path, selftest=True)
    assert {name for name, finding in findings.items() if finding.level == "bad"} == set()
    assert "prompt_tokens_per_s" in findings["self-test"].what
    assert "within a slice of 64 tokens" in findings["giving way"].what
    assert findings["store"].what.endswith("nothing is remembered yet")
    assert not (tmp_path / "data").exists()


async def test_layers_on_a_gpu_that_is_not_there_are_a_finding(
    tmp_path: Path, llm_tiny_path: Path, embedder_dir: Path
) -> None:
    if gpus():
        pytest.skip("this machine has a GPU that llama.cpp can use")
    active = f"llm: {{active: {{gpu_layers: -1, file: {llm_tiny_path}}}}}\n"
    text = f"data_dir: {tmp_path / 'data'}\nmodels_dir: {embedder_dir.parent}\n{active}"
    finding = (await diagnose(text, tmp_path, selftest=True))["self-test"]
    assert finding.level == "bad"
    assert finding.what.startswith("llm.active.gpu_layers is -1, but ")


@pytest.mark.parametrize(
    ("code", "stderr", "words"),
    [
        (1, "the key is wrong\n", "the key is wrong"),
        (-4, "", "llama.cpp dies on this machine (exit -4)"),
        (-6, "x\nllama.cpp: aborts: y\n", "(exit -6: llama.cpp: aborts: y)"),
        (
            -6,
            "llama.cpp: CUDA error: no kernel image\nllama.cpp: device: 0\nllama.cpp: aborts: y\n",
            "(exit -6: llama.cpp: CUDA error: no kernel image)",
        ),
    ],
)
def test_the_end_of_a_self_test_has_its_reason(code: int, stderr: str, words: str) -> None:
    result = subprocess.CompletedProcess([], code, stdout="", stderr=stderr)
    assert _end_of_selftest(result).endswith(words)


@pytest.mark.parametrize(
    ("wait_ms", "level", "words"),
    [
        (71.0, "ok", "after a slice of 48 tokens: 71 ms at 676 tokens/s (GPU)"),
        (148.0, "warn", "after a slice of 48 tokens: 148 ms at 324 tokens/s (GPU)"),
        (None, "ok", "within a slice of 48 tokens, at any step of the computation (processor)"),
    ],
)
def test_the_time_of_giving_way_is_told(wait_ms: float | None, level: str, words: str) -> None:
    finding = gives_way({"slice_tokens": 48, "gives_way_ms": wait_ms})
    assert (finding.level, finding.what) == (level, words)


async def test_a_broken_configuration_is_a_finding(tmp_path: Path) -> None:
    finding = (await diagnose("persona:\n  nmae: Bo\n", tmp_path))["config"]
    assert finding.level == "bad"
    assert "line 2: persona.nmae: unknown key; did you mean 'name'?" in finding.what


async def test_models_that_are_not_there_name_the_command(tmp_path: Path) -> None:
    text = f"data_dir: {tmp_path}\nmodels_dir: {tmp_path / 'models'}\n"
    findings = await diagnose(text, tmp_path)
    for name, command in (("qwen2.5-1.5b", "fetch"), ("minilm-int8", "fetch minilm-int8")):
        finding = findings[f"model {name}"]
        assert finding.level == "bad"
        assert finding.what.endswith(f"companion models {command}")


async def test_a_model_that_the_manifest_lacks(tmp_path: Path) -> None:
    finding = (await diagnose("llm: {active: {model: gpt-17}}\n", tmp_path))["models"]
    assert finding.level == "bad"
    assert "there is no model 'gpt-17'" in finding.what


@pytest.mark.parametrize(
    ("content", "words"), [(b"PK\x03\x04", "is not a GGUF file"), (None, "No such file")]
)
async def test_a_file_of_ones_own_that_is_no_model(
    tmp_path: Path, embedder_dir: Path, content: bytes | None, words: str
) -> None:
    gguf = tmp_path / "mine.gguf"
    if content is not None:
        gguf.write_bytes(content)
    findings = await diagnose(plain(tmp_path, embedder_dir.parent, gguf), tmp_path)
    assert findings["model mine.gguf"].level == "bad"
    assert words in findings["model mine.gguf"].what


async def test_a_model_that_cannot_fit_into_memory(tmp_path: Path, embedder_dir: Path) -> None:
    gguf = tmp_path / "vast.gguf"
    with gguf.open("wb") as stream:
        stream.write(b"GGUF")
        stream.truncate(2**42)
    finding = (await diagnose(plain(tmp_path, embedder_dir.parent, gguf), tmp_path))["memory"]
    assert finding.level == "bad"
    assert "--profile tiny" in finding.mend


async def test_a_store_that_opens_and_one_that_does_not(
    tmp_path: Path, llm_tiny_path: Path, embedder_dir: Path
) -> None:
    data = tmp_path / "data"
    store = await Store.open(data, Config().store, SystemClock())
    await store.close()
    text = plain(tmp_path, embedder_dir.parent, llm_tiny_path)
    assert (await diagnose(text, tmp_path))["store"] == Finding("store", "ok", f"{data}: opens")
    (data / "store.db").write_bytes(b"\0" * 4096)
    finding = (await diagnose(text, tmp_path))["store"]
    assert finding.level == "bad"
    assert str(data) in finding.what


async def test_ears_and_mouth_are_looked_at(tmp_path: Path) -> None:
    text = f"data_dir: {tmp_path}\nmodels_dir: {tmp_path / 'models'}\n"
    findings = await diagnose(text, tmp_path)
    assert findings["voice"].level == "ok"
    assert findings["portaudio"].level in ("ok", "warn")
    for name in ("whisper-tiny.en", "piper-en-us-joe"):
        assert findings[f"model {name}"].level == "bad"
        assert f"companion models fetch {name}" in findings[f"model {name}"].what
