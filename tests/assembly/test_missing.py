"""One policy for what is missing: a command fails, the daemon goes on and names it."""

from __future__ import annotations

from contextlib import aclosing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.assembly import models as assembled
from companion.assembly.companion import open_companion
from companion.assembly.dialog import build_dialog
from companion.assembly.missing import (
    CANNOT_LEARN,
    CANNOT_REMEMBER,
    CANNOT_THINK,
    Fail,
    GoOn,
    Policy,
)
from companion.assembly.models import Models, open_models
from companion.assembly.phases import open_phases
from companion.assembly.store import open_store, store_or_ram
from companion.clock import ManualClock
from companion.config import Config, SafetySection
from companion.engines.protocols import Embedder
from companion.errors import EngineError, ModelFileError, StoreBusy, StoreError
from companion.store import lived
from companion.store.database import Store
from tests.assembly.conftest import Witness
from tests.fakes import HashEmbedder, ScriptedModel, of_no_weights

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DAY_S = 86_400


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def nothing(tmp_path: Path) -> Config:
    """A configuration of which no model is there."""
    return Config.model_validate(
        {
            "data_dir": tmp_path / "data",
            "llm": {"active": {"file": tmp_path / "model.gguf"}},
            "embedder": {"directory": tmp_path / "embedder"},
            "forgetting": {"largest_gap_days": 2},
        }
    )


def without_a_disk(config: Config) -> Config:
    """Its data directory cannot be made."""
    config.data_dir.write_text("a file stands in its place")
    return config.model_copy(update={"data_dir": config.data_dir / "data"})


async def test_a_command_fails_with_the_error_of_the_part(
    nothing: Config, clock: ManualClock
) -> None:
    with pytest.raises(ModelFileError, match=r"model\.gguf"):
        async with open_companion(nothing, clock, Fail(), Witness()):
            pass


async def test_the_daemon_goes_on_with_stand_ins_and_names_what_is_missing(
    nothing: Config, clock: ManualClock
) -> None:
    policy = GoOn()
    async with open_companion(nothing, clock, policy, Witness()) as companion:
        async with companion.phases.awake() as dialog, aclosing(dialog.reply("Hello!")) as reply:
            assert [sentence async for sentence in reply] == [CANNOT_THINK]
        assert companion.models.names == {"active": None, "inactive": None, "embedder": None}
    assert [missing.spoken for missing in policy.found] == [CANNOT_THINK, CANNOT_LEARN]
    assert "model.gguf" in policy.found[0].why


@pytest.mark.parametrize("kind", [Fail, GoOn])
async def test_on_a_disk_that_cannot_be_written_both_talk_on_in_ram_and_say_so(
    nothing: Config, clock: ManualClock, kind: type[Fail] | type[GoOn]
) -> None:
    told: list[str] = []
    policy = kind(on_notice=told.append)
    async with store_or_ram(without_a_disk(nothing), clock, policy) as store:
        assert store.trouble is not None
        before = await store.write(lived.now)
        clock.advance(30 * DAY_S)
        assert await store.write(lived.now) - before == 2 * DAY_S, "by forgetting.largest_gap_days"
    assert told == [f"{store.trouble}; nothing is remembered until that is mended"]
    if isinstance(policy, GoOn):
        assert [missing.spoken for missing in policy.found] == [CANNOT_REMEMBER]


async def test_a_store_that_cannot_be_read_is_an_error_of_a_command_and_missing_in_the_daemon(
    nothing: Config, clock: ManualClock
) -> None:
    nothing.data_dir.mkdir()
    (nothing.data_dir / "store.db").write_bytes(b"SQLite format 3\0")
    with pytest.raises(StoreError, match="is not encrypted"):
        async with store_or_ram(nothing, clock, Fail()):
            pass
    policy = GoOn()
    async with store_or_ram(nothing, clock, policy) as store:
        assert "is not encrypted" in (store.trouble or "")
    assert [missing.spoken for missing in policy.found] == [CANNOT_REMEMBER]


async def test_a_store_of_somebody_else_is_never_replaced(
    nothing: Config, clock: ManualClock
) -> None:
    async with open_store(nothing, clock, mode="owner"):
        with pytest.raises(StoreBusy):
            async with store_or_ram(nothing, clock, GoOn()):
                pass


async def test_safe_mode_leaves_the_store_alone_and_names_nothing(
    nothing: Config, clock: ManualClock
) -> None:
    policy = GoOn()
    async with store_or_ram(nothing, clock, policy, memory=False) as store:
        assert store.trouble is not None
        await store.write(lived.now)
    assert policy.found == []
    assert not nothing.data_dir.exists()


@pytest.mark.parametrize("policy", [Fail(), GoOn()])
async def test_nothing_is_learnt_where_nothing_is_kept(
    nothing: Config, clock: ManualClock, policy: Policy
) -> None:
    async def learnt(store: Store) -> int:
        witness, model = Witness(), ScriptedModel()
        models = Models(model, model, HashEmbedder())
        guard = {"safety": SafetySection(guard="patterns")}
        plain = of_no_weights(nothing.model_copy(update=guard))
        async with open_phases(plain, clock, store, models, policy, witness) as phases:
            await phases.sleep()
            await phases.rested()
        return len(witness.reports)

    async with store_or_ram(nothing, clock, policy) as store:
        assert await learnt(store) == 1
    async with store_or_ram(nothing, clock, policy, memory=False) as store:
        assert await learnt(store) == 0


async def test_an_embedder_that_fails_the_guard_is_missing_like_one_that_does_not_load(
    nothing: Config, monkeypatch: pytest.MonkeyPatch, embedder_dir: Path
) -> None:
    """In the daemon this error used to end the start."""

    async def fails(config: Config, embedder: Embedder) -> None:
        raise EngineError("the embedder broke")

    monkeypatch.setattr(assembled, "check_guard", fails)
    own = nothing.embedder.model_copy(update={"directory": embedder_dir})
    config = nothing.model_copy(update={"embedder": own})
    policy = GoOn()
    async with open_models(config, policy, think=False) as models:
        assert models.names["embedder"] is None
    assert [str(missing) for missing in policy.found] == [f"{CANNOT_LEARN} the embedder broke"]
    with pytest.raises(EngineError, match="the embedder broke"):
        async with open_models(config, Fail(), think=False):
            pass


async def test_the_language_of_the_configuration_is_spoken(
    nothing: Config, clock: ManualClock
) -> None:
    klingon = nothing.model_copy(update={"language": "tlh"})
    async with store_or_ram(nothing, clock, Fail(), memory=False) as store:
        with pytest.raises(ValueError, match="tlh"):
            build_dialog(klingon, clock, store, ScriptedModel(), HashEmbedder())
