"""The service's files: what they promise, by reading them, and what systemd says of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import config

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
UNIT = SYSTEMD / "companion.service"

has_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)

Settings = dict[str, list[str]]


def read(file: Path) -> dict[str, Settings]:
    """Section -> key -> its values in order. A line that is no setting fails."""
    sections: dict[str, Settings] = {}
    current: Settings = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if header := re.fullmatch(r"\[(\w+)\]", line):
            current = sections.setdefault(header[1], {})
            continue
        key, equals, value = line.partition("=")
        assert equals, f"{file.name}: {line!r} is no setting"
        current.setdefault(key, []).append(value)
    return sections


@pytest.fixture(scope="module")
def service() -> Settings:
    return read(UNIT)["Service"]


def only(settings: Settings, key: str) -> str:
    (value,) = settings[key]
    return value


# ---- life


def test_systemd_never_gives_up_so_that_safe_mode_is_reached(service: Settings) -> None:
    """Its own default stops a unit after five starts in ten seconds."""
    assert read(UNIT)["Unit"]["StartLimitIntervalSec"] == ["0"]
    assert only(service, "Restart") == "on-failure"


def test_a_hang_soon_after_a_start_still_counts_towards_safe_mode(service: Settings) -> None:
    """The daemon takes a life longer than this for a healthy one."""
    assert int(only(service, "WatchdogSec")) < config.ServiceSection().healthy_s


def test_the_daemon_has_longer_to_stop_than_it_takes(service: Settings) -> None:
    assert int(only(service, "TimeoutStopSec")) > config.ServiceSection().stop_s


def test_the_daemon_itself_says_that_it_is_ready(service: Settings) -> None:
    assert only(service, "Type") == "notify"
    assert only(service, "NotifyAccess") == "main"
    assert only(service, "ExecStart").split()[-3:] == [
        "--config",
        "/etc/companion/config.yaml",
        "run",
    ]


# ---- places


def test_the_configuration_keeps_to_the_places_that_the_unit_opens(service: Settings) -> None:
    settings = config.load(SYSTEMD / "config.yaml")
    state = Path("/var/lib", only(service, "StateDirectory"))
    cache = Path("/var/cache", only(service, "CacheDirectory"))
    assert settings.profile == "jetson"
    assert settings.data_dir == state
    assert settings.models_dir.is_relative_to(cache)
    assert settings.service.socket is not None
    assert settings.service.socket.parent == Path("/run", only(service, "RuntimeDirectory"))
    assert only(service, "ProtectSystem") == "strict"
    assert only(service, "StateDirectoryMode") == "0700"


def test_the_key_comes_as_the_credential_that_the_store_looks_for(service: Settings) -> None:
    assert only(service, "LoadCredential") == "companion-key:/etc/companion/companion-key"
    drop_in = read(SYSTEMD / "encrypted-key.conf")["Service"]
    assert drop_in["LoadCredential"] == [""], "the plain file would be asked for as well"
    (encrypted,) = drop_in["LoadCredentialEncrypted"]
    assert encrypted == "companion-key:/etc/companion/companion-key.cred"


def test_nothing_that_was_said_reaches_the_disk_in_the_clear(service: Settings) -> None:
    assert only(service, "LimitCORE") == "0"
    assert only(service, "CoredumpFilter") == "0"
    assert only(service, "MemorySwapMax") == "0"


# ---- rights


def test_there_is_no_network_until_the_owner_opens_it(service: Settings) -> None:
    assert only(service, "PrivateNetwork") == "yes"
    assert only(service, "IPAddressDeny") == "any"
    assert only(service, "RestrictAddressFamilies") == "AF_UNIX"
    opened = read(SYSTEMD / "network.conf.example")["Service"]
    assert opened["PrivateNetwork"] == ["no"]
    assert "IPAddressDeny" not in opened, "all but the named address must stay closed"


def test_sound_gpio_and_gpu_are_allowed_and_nothing_else(service: Settings) -> None:
    assert only(service, "DevicePolicy") == "closed"
    devices = {value.split()[0] for value in service["DeviceAllow"]}
    assert {"char-alsa", "char-gpiochip", "/dev/nvmap", "/dev/nvgpu/igpu0/ctrl"} <= devices
    ours = re.compile(r"char-(alsa|gpiochip)|/dev/(nv\S+|host1x-fence|dri/renderD12[89])")
    assert [device for device in devices if not ours.fullmatch(device)] == []


def test_audio_callbacks_may_be_made_at_run_time(service: Settings) -> None:
    assert "MemoryDenyWriteExecute" not in service
    assert "# - MemoryDenyWriteExecute:" in UNIT.read_text(encoding="utf-8")


def test_the_service_runs_without_any_privilege(service: Settings) -> None:
    assert only(service, "User") == "companion"
    assert only(service, "CapabilityBoundingSet") == ""
    assert only(service, "NoNewPrivileges") == "yes"
    assert service["SystemCallFilter"] == ["@system-service", "~@privileged"]


def test_jetpack_6_knows_every_setting(service: Settings) -> None:
    """Its systemd is 249; these are newer, and would be ignored there with a warning."""
    newer = {
        *(
            "LoadCredentialEncrypted",
            "SetCredentialEncrypted",
            "ExecSearchPath",
            "ImportCredential",
        ),
        *("RestartSteps", "RestartMaxDelaySec", "RestartMode", "MemoryPressureWatch"),
        *("RestrictFileSystems", "RestrictNetworkInterfaces", "MemoryZSwapMax"),
    }
    assert newer.isdisjoint(service)


# ---- systemd's own opinion


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists on this machine."""
    text = UNIT.read_text(encoding="utf-8")
    file = tmp_path / UNIT.name
    file.write_text(re.sub(r"(?m)^ExecStart=.*", f"ExecStart={shutil.which('true')}", text))
    return file


def analyze(*arguments: str | Path) -> str:
    result = subprocess.run(
        ["systemd-analyze", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def exposure(unit: Path) -> float:
    found = re.search(
        r"exposure level for \S+: ([\d.]+)", analyze("security", "--offline=true", unit)
    )
    assert found is not None
    return float(found[1])


@has_analyze
def test_systemd_finds_no_fault_with_the_unit(unit: Path) -> None:
    assert analyze("verify", unit) == ""


@has_analyze
@pytest.mark.parametrize("drop_in", ["encrypted-key.conf", "network.conf.example"])
def test_systemd_finds_no_fault_with_a_drop_in(unit: Path, drop_in: str) -> None:
    folder = unit.with_name(f"{unit.name}.d")
    folder.mkdir()
    shutil.copy(SYSTEMD / drop_in, folder / f"{drop_in.partition('.')[0]}.conf")
    assert analyze("verify", unit) == ""


@has_analyze
def test_exposure_is_at_most_one_and_a_half() -> None:
    assert exposure(UNIT) <= 1.5


@has_analyze
def test_a_weaker_unit_would_be_noticed(unit: Path) -> None:
    """That the figure is read at all."""
    unit.write_text(unit.read_text().replace("PrivateNetwork=yes\n", "").replace("NoNew", "#"))
    assert exposure(unit) > exposure(UNIT)


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers")
def test_the_user_belongs_to_the_groups_of_its_devices(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    users = SYSTEMD / "companion.sysusers"
    for _ in range(2):
        subprocess.run(
            ["systemd-sysusers", f"--root={tmp_path}", users], check=True, capture_output=True
        )
    groups = (tmp_path / "etc/group").read_text().splitlines()
    members = {line.split(":")[0] for line in groups if line.endswith(":companion")}
    assert members == {"audio", "video", "render", "gpio"}
    (user,) = (tmp_path / "etc/passwd").read_text().splitlines()
    assert user.endswith(":/var/lib/companion:/usr/sbin/nologin")
