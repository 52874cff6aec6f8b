"""`companion bench memory`: what is resident, part by part, as the parts are loaded and used.

A part is what the process grew by while it was loaded and used once. A language model's growth is
told apart: weights are its mapped file and what llama.cpp holds of it elsewhere (`allocated`), the
KV cache is what llama.cpp says it is (it is written from the start), `llm_rest` is what the weights
bring along before there is a context (the vocabulary), and the rest are compute buffers, on a
processor as far as they have been touched. With the parts measured here, every profile is
predicted (`predicted`).
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.assembly.dialog import build_dialog
from companion.assembly.models import open_embedder, open_language_model
from companion.assembly.sound import (
    load_canceller,
    load_detector,
    load_synthesizer,
    load_transcriber,
)
from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config, LlmSection
from companion.engines.llama.geometry import Geometry
from companion.engines.protocols import Embedder, LanguageModel
from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, SPEAKER_RATE, Samples
from companion.errors import CompanionError
from companion.evaluation.bench import predicted, talk
from companion.evaluation.bench.allocated import Allocated, available
from companion.evaluation.bench.buffers import allocations
from companion.evaluation.bench.resident import Resident, peak, resident
from companion.store.database import Store
from companion.weights.located import model_file, model_name
from companion.weights.manifest import Manifest

CONTRACT_BYTES = 600 * 10**6
"""Most bytes beside weights, KV and compute in the lean profile (design, performance contract)."""

OF_THE_MODEL = ("weights", "kv", "compute", "set_aside")
"""What the contract does not count."""

SENTENCE = "Hello! I am so glad that you are here. What shall we play with today, my friend?"

_DEVICE = (
    "import companion.voice.devices.device_child, companion.voice.devices.port_audio, re\n"
    "print(re.search(r'^Pss:\\s+(\\d+)', open('/proc/self/smaps_rollup').read(), re.M).group(1))"
)
"""What a process that owns a microphone or a speaker holds; its share of what it shares."""


class Ledger:
    """Books what the process grew by."""

    def __init__(self, measure: Callable[[], Resident] = resident) -> None:
        self._measure = measure
        self.last = measure()
        self.parts = {"program": self.last.other}

    def grown(self) -> int:
        """Bytes beside mapped weights that came since this was last asked."""
        before, self.last = self.last, self._measure()
        return self.last.other - before.other

    def book(self, part: str) -> None:
        self.parts[part] = self.parts.get(part, 0) + max(0, self.grown())


async def run(
    config: Config,
    clock: Clock,
    *,
    profiles: Mapping[str, Config],
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """The document of `companion bench memory --json`, bytes. profiles: those to predict."""
    ledger = Ledger()
    free = available()
    async with AsyncExitStack() as stack:
        on_progress("language model")
        shape, allocated, model = await stack.enter_async_context(_language_model(config, ledger))
        on_progress("embedder")
        embedder = await stack.enter_async_context(open_embedder(config))
        await embedder.embed(["How are you today?"])
        ledger.book("embedder")
        on_progress("voice")
        missing = await stack.enter_async_context(_voice(config, ledger))
        on_progress("a short talk")
        folder = stack.enter_context(TemporaryDirectory(prefix="companion-bench-"))
        placed = config.model_copy(update={"data_dir": Path(folder)})
        store = await stack.enter_async_context(open_store(placed, clock, mode="owner"))
        await _talk(config, clock, store, model, embedder)
        ledger.book("store_and_dialog")
        aside = await model.snapshot()
        if aside is not None:
            ledger.parts["set_aside"] = len(aside.state)
        left = available()
        devices = await _device_process()
        if devices is not None:
            ledger.parts["sound_devices"] = 2 * devices  # A microphone and a speaker.
    document = _document(config, model, ledger, missing, profiles)
    document["allocated"] = allocated.kinds()
    document["machine_grew"] = None if free is None or left is None else free - left
    if shape is not None:
        tokens = len(aside.token_ids) if aside is not None else 0
        document["check"] = _check(config, shape, allocated, tokens, ledger.parts)
    return document


def _check(
    config: Config, shape: Geometry, allocated: Allocated, tokens: int, parts: dict[str, int]
) -> dict[str, list[int]]:
    """Term by term: predicted for the model that was loaded, and what it took. tokens: set aside.

    Weights are the file's bytes, of which its head (tokens, merges, template) is none.
    """
    section = config.llm.active
    return {
        "weights": [_file_bytes(section, config.models_dir), allocated.weights],
        "kv": [predicted.kv_bytes(shape, section.context_tokens), allocated.of("KV")],
        "compute": [predicted.compute_of(shape, section), allocated.of("compute")],
        "set_aside": [predicted.token_bytes(shape) * tokens, parts.get("set_aside", 0)],
    }


def _file_bytes(section: LlmSection, models_dir: Path) -> int:
    """Bytes of the weights on the disk, all shards."""
    if section.file is None:
        return Manifest.load()[model_name(section, models_dir)].size
    return section.file.expanduser().stat().st_size


def _document(
    config: Config,
    model: LanguageModel,
    ledger: Ledger,
    missing: list[str],
    profiles: Mapping[str, Config],
) -> dict[str, Any]:
    parts = ledger.parts
    beside = {name: size for name, size in parts.items() if name not in OF_THE_MODEL}
    torch = "torch" in sys.modules or ledger.last.torch
    document: dict[str, Any] = {
        "model": model.name,
        "profile": config.profile,
        "context_tokens": model.context_tokens,
        "parts": parts,
        "total": sum(parts.values()),
        "peak": peak(),
        "beyond_weights_kv_compute": sum(beside.values()),
        "contract": CONTRACT_BYTES,
        "within_contract": sum(beside.values()) <= CONTRACT_BYTES and not torch,
        "torch_in_process": torch,
        "not_measured": missing,
    }
    manifest = Manifest.load()
    document["prediction"] = {
        name: predicted.predict(each, manifest, beside)
        for name, each in profiles.items()
        if predicted.knows(each.llm.active)
    }
    return document


@asynccontextmanager
async def _language_model(
    config: Config, ledger: Ledger
) -> AsyncIterator[tuple[Geometry | None, Allocated, LanguageModel]]:
    """The model that talks, used at its full batch; its shape, and what llama.cpp allocated."""
    section = config.llm.active
    if section.backend != "llama-cpp":
        async with open_language_model(config, section) as server:
            ledger.book("llm_client")
            yield None, Allocated(()), server
        return
    from companion.engines.llama.weights import weights_only

    path = await asyncio.to_thread(model_file, section, config.models_dir)
    with (
        allocations() as buffers,
        weights_only(path, section.gpu_layers, mmap=section.mmap) as shape,
    ):
        alone = Allocated(buffers)
        vocabulary = max(0, ledger.grown() - alone.unmapped)
    with allocations() as buffers:
        async with open_language_model(config, section) as model:
            await model.warm(talk.head(config))
            grown = ledger.grown()  # Beyond the weights, which were counted above.
            allocated = Allocated(buffers)
            kv = allocated.of("KV")
            here = kv - allocated.on_device("KV")
            ledger.parts |= {
                "weights": ledger.last.weights + allocated.unmapped + allocated.on_device("model"),
                "kv": kv,
                "compute": max(0, grown - here) + allocated.on_device("compute"),
                "llm_rest": vocabulary,
            }
            yield shape, allocated, model


@asynccontextmanager
async def _voice(config: Config, ledger: Ledger) -> AsyncIterator[list[str]]:
    """Every engine for sound, loaded and used one after the other; a line for each that is not."""
    missing: list[str] = []
    sound: Samples = np.zeros(5 * SPEAKER_RATE, dtype=np.int16)
    async with AsyncExitStack() as stack:
        for part, load in (("tts", _tts), ("stt", _stt), ("vad", _vad), ("echo", _echo)):
            try:
                sound = await load(config, stack, sound)
            except ImportError as error:
                missing.append(f"{part}: {error.name} is not installed: scripts/setup --voice")
            except CompanionError as error:
                missing.append(f"{part}: {error}")
            ledger.book(part)
        yield missing


async def _tts(config: Config, stack: AsyncExitStack, sound: Samples) -> Samples:
    synthesizer = await load_synthesizer(config)
    stack.push_async_callback(synthesizer.close)
    return await synthesizer.synthesize(SENTENCE)


async def _stt(config: Config, stack: AsyncExitStack, sound: Samples) -> Samples:
    transcriber = await load_transcriber(config)
    stack.push_async_callback(transcriber.close)
    await transcriber.transcribe(_as_heard(sound))
    return sound


async def _vad(config: Config, stack: AsyncExitStack, sound: Samples) -> Samples:
    detector = await load_detector()
    stack.callback(detector.reset)  # It lives as long as the others.
    detector.probability(sound[:MIC_FRAME])
    return sound


async def _echo(config: Config, stack: AsyncExitStack, sound: Samples) -> Samples:
    if config.voice.echo == "cancel":
        canceller = await load_canceller()
        stack.callback(canceller.reset)
        canceller.process(sound[:MIC_FRAME], sound[:MIC_FRAME])
    return sound


def _as_heard(sound: Samples) -> Samples:
    """At the microphone's rate: every 1.5th sample, which is good enough to be listened to."""
    at = np.arange(0, len(sound), SPEAKER_RATE / MIC_RATE).astype(np.intp)
    return sound[at]


async def _talk(
    config: Config, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> None:
    """Three turns through the dialog, with the cache warmed after each."""
    dialog = build_dialog(config, clock, store, model, embedder)
    await dialog.open()
    said = talk.exchanges()
    for _ in range(3):
        async for _sentence in dialog.reply(next(said)[0]):
            pass
        await dialog.warm()
    await dialog.close()


async def _device_process() -> int | None:
    """Bytes of a process that owns a sound device; None where there is no library for sound."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _DEVICE, stdout=PIPE, stderr=DEVNULL
    )
    said, _ = await process.communicate()
    return int(said) * 1024 if process.returncode == 0 else None
