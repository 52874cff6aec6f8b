"""The units of the parents' page: what they promise, and what systemd says of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import config
from tests.systemd.test_unit import SYSTEMD, Settings, analyze, exposure, has_analyze, only, read

UNIT = SYSTEMD / "companion-web.service"
SOCKET = SYSTEMD / "companion-web.socket"


@pytest.fixture(scope="module")
def service() -> Settings:
    return read(UNIT)["Service"]


def test_whoever_takes_it_over_can_neither_read_the_files_nor_call_out(service: Settings) -> None:
    assert only(service, "User") == "companion-web"
    assert only(service, "SupplementaryGroups") == "companion"
    assert only(service, "PrivateNetwork") == "yes"
    assert only(service, "IPAddressDeny") == "any"
    assert only(service, "RestrictAddressFamilies") == "AF_UNIX"
    hidden = only(service, "InaccessiblePaths").split()
    data = read(SYSTEMD / "companion.service")["Service"]
    assert f"-/var/lib/{only(data, 'StateDirectory')}" in hidden
    assert "-/etc/companion/companion-key" in hidden
    assert "-/etc/companion/companion-key.cred" in hidden


def test_it_can_reach_the_control_socket_as_a_member_of_its_group(service: Settings) -> None:
    daemon = read(SYSTEMD / "companion.service")["Service"]
    assert only(service, "SupplementaryGroups") == only(daemon, "User")
    assert only(daemon, "RuntimeDirectoryMode") == "0750"


def test_systemd_listens_on_the_port_of_the_configuration_for_the_home_only() -> None:
    socket = read(SOCKET)["Socket"]
    assert only(socket, "ListenStream") == str(config.WebSection().port)
    assert only(socket, "IPAddressDeny") == "any"
    assert "0.0.0.0/0" not in only(socket, "IPAddressAllow")


def test_it_does_not_wait_for_a_toy_that_loads_its_model() -> None:
    """That takes minutes on a board, and a browser would hang meanwhile."""
    assert read(UNIT)["Unit"]["After"] == [SOCKET.name]


def test_it_is_off_until_its_socket_is_switched_on() -> None:
    assert "Install" not in read(UNIT), "nothing but its socket starts it"
    assert read(UNIT)["Unit"]["Requires"] == [SOCKET.name]
    assert read(SOCKET)["Install"]["WantedBy"] == ["sockets.target"]
    installer = (SYSTEMD.parent / "scripts/install-jetson").read_text(encoding="utf-8")
    assert not re.search(r"systemctl (enable|start|restart)[^\n]*web", installer)


@has_analyze
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    file = tmp_path / UNIT.name
    file.write_text(re.sub(r"(?m)^ExecStart=.*", f"ExecStart={shutil.which('true')}", text))
    shutil.copy(SOCKET, tmp_path)
    assert analyze("verify", file, tmp_path / SOCKET.name) == ""


@has_analyze
def test_exposure_is_at_most_one_and_a_half() -> None:
    assert exposure(UNIT) <= 1.5


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers")
def test_its_user_has_no_home_and_no_shell(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    users = SYSTEMD / "companion-web.sysusers"
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", users], check=True, capture_output=True
    )
    (user,) = (tmp_path / "etc/passwd").read_text().splitlines()
    assert user.startswith("companion-web:")
    assert user.endswith(":/:/usr/sbin/nologin")
