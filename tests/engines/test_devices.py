"""Layers on a GPU: refused where there is none, in place of slow work on the processor."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp as native
import pytest

from companion.assembly.missing import CANNOT_THINK, Fail, GoOn
from companion.assembly.models import open_models
from companion.config import Config, load
from companion.engines.llama import devices
from companion.engines.llama.devices import Gpu, check_gpu, gpu_backends, gpus
from companion.errors import EngineError

CPU, GPU, INTEGRATED = range(3)  # enum ggml_backend_dev_type


@dataclass
class Device:
    kind: int
    name: bytes
    free: int = 0


class Ggml:
    """ggml's registry of devices and backends, as a board or a server would fill it."""

    def __init__(self, backends: list[bytes], devices: list[Device]) -> None:
        def memory(handle: ctypes.c_void_p, free: Any, total: Any) -> None:
            free._obj.value = device(handle).free
            total._obj.value = 8 * 10**9

        def device(handle: ctypes.c_void_p) -> Device:
            assert handle.value, "a handle, not NULL"
            return devices[handle.value - 1]

        self.ggml_backend_dev_count = _function(lambda: len(devices))
        self.ggml_backend_dev_get = _function(lambda index: index.value + 1)
        self.ggml_backend_dev_type = _function(lambda handle: device(handle).kind)
        self.ggml_backend_dev_name = _function(lambda handle: device(handle).name)
        self.ggml_backend_dev_memory = _function(memory)
        self.ggml_backend_reg_count = _function(lambda: len(backends))
        self.ggml_backend_reg_get = _function(lambda index: index.value + 1)
        self.ggml_backend_reg_name = _function(lambda handle: backends[handle.value - 1])


def _function(body: Any) -> Any:
    """Callable, and with room for a `restype`, as a function of ctypes is."""

    def function(*arguments: Any) -> Any:
        return body(*arguments)

    return function


@pytest.fixture(autouse=True)
def nothing_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """What llama.cpp's log said of GPUs before."""
    monkeypatch.setattr(devices, "_capabilities", {})
    monkeypatch.setattr(devices, "_not_started", [])


PROCESSOR = Device(CPU, b"CPU", 6 * 10**9)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> None:
    """An Orin Nano: one integrated GPU."""
    devices = [Device(INTEGRATED, b"CUDA0", 5 * 10**9), PROCESSOR]
    monkeypatch.setattr(native.llama_cpp, "_lib", Ggml([b"CUDA", b"CPU"], devices))


@pytest.fixture
def without_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CUDA build on a machine that shows it no GPU."""
    monkeypatch.setattr(native.llama_cpp, "_lib", Ggml([b"CUDA", b"CPU"], [PROCESSOR]))


@pytest.fixture
def processor_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native.llama_cpp, "_lib", Ggml([b"CPU"], [PROCESSOR]))


@pytest.mark.usefixtures("board")
def test_a_gpu_that_is_there_is_used_with_what_it_has_free() -> None:
    assert gpus() == (Gpu("CUDA0", 5 * 10**9),)
    assert gpu_backends() == ("CUDA",)
    for layers in (-1, 0, 20):
        check_gpu(layers)


@pytest.mark.usefixtures("without_driver")
def test_a_machine_that_shows_no_gpu_is_named_with_what_it_was_built_for() -> None:
    with pytest.raises(EngineError, match=r"finds no GPU \(it was built for CUDA\)") as caught:
        check_gpu(-1)
    assert str(caught.value).startswith("llm.active.gpu_layers is -1")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("without_driver")
def test_why_the_driver_did_not_start_is_told() -> None:
    devices.listen("ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected")
    words = r"built for CUDA; no CUDA-capable device is detected\): see that the driver is loaded"
    with pytest.raises(EngineError, match=words):
        check_gpu(-1)


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("built_for", "of_the_gpu", "words"),
    [
        (b"CUDA : ARCHS = 870 | USE_GRAPHS = 1 | ", "8.7", None),
        (b"CUDA : ARCHS = 870 | ", "9.0", None),  # its driver translates for later ones
        (b"CUDA : ARCHS = 750,800,870 | ", "8.6", None),
        (b"CUDA : USE_GRAPHS = 1 | ", "5.3", None),  # an older build, which does not say
        (b"CUDA : ARCHS = 870 | ", "7.2", "8.7 and later, and Xavier has 7.2: scripts/setup"),
        (b"CUDA : ARCHS = 870,1200 | ", "8.6", "8.7 and later, and Xavier has 8.6"),
    ],
)
def test_a_gpu_that_the_build_does_not_suit_is_named_before_it_ends_the_process(
    built_for: bytes, of_the_gpu: str, words: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices.listen(f"  Device 0: Xavier, compute capability {of_the_gpu}, VMM: yes")
    monkeypatch.setattr(native, "llama_print_system_info", lambda: b"CPU : AVX = 1 | " + built_for)
    if words is None:
        check_gpu(-1)
        return
    with pytest.raises(EngineError, match=words):
        check_gpu(-1)
    check_gpu(0)


@pytest.mark.usefixtures("processor_build")
@pytest.mark.parametrize("layers", [-1, 1, 99])
def test_a_build_without_a_gpus_code_is_named_with_what_builds_it(layers: int) -> None:
    with pytest.raises(EngineError, match="was built without a GPU's code: scripts/setup") as error:
        check_gpu(layers)
    assert f"gpu_layers is {layers}" in str(error.value)


@pytest.mark.usefixtures("processor_build")
def test_no_layers_on_a_gpu_need_none() -> None:
    check_gpu(0)


@pytest.mark.parametrize("profile", ["laptop", "tiny"])
def test_the_profiles_of_machines_without_a_gpu_ask_for_none(profile: str) -> None:
    repository = Path(__file__).resolve().parents[2]
    assert load(repository / "config.yaml", profile=profile).llm.active.gpu_layers == 0


def test_the_installed_library_answers() -> None:
    """The names and signatures above are those of the real ggml."""
    assert all(gpu.name and gpu.free >= 0 for gpu in gpus())
    assert bool(gpus()) <= bool(gpu_backends())


@pytest.fixture
def on_gpu(tmp_path: Path) -> Config:
    gguf = tmp_path / "model.gguf"
    gguf.write_bytes(b"GGUF, and whatever else: it is not read so far")
    active = {"file": gguf, "gpu_layers": -1}
    return Config.model_validate(
        {
            "data_dir": tmp_path / "data",
            "llm": {"active": active},
            "embedder": {"directory": tmp_path / "none"},
        }
    )


@pytest.mark.usefixtures("processor_build")
async def test_a_command_fails_and_the_daemon_names_it(on_gpu: Config) -> None:
    with pytest.raises(EngineError, match="gpu_layers is -1"):
        async with open_models(on_gpu, Fail()):
            pass
    policy = GoOn()
    async with open_models(on_gpu, policy) as models:
        assert models.names["active"] is None
    assert policy.found[0].spoken == CANNOT_THINK
    assert "gpu_layers is -1" in policy.found[0].why
