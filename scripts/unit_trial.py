"""The units, tried one after the other; runs as root in the machine of scripts/try_units only.

Prints a line for each thing that is to be shown, with what was seen; the last begins with `all`
when everything was as it should be.
"""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

from unit_page import its_process, switched_off, switched_on, visit
from unit_scene import (
    DAEMON,
    PIN,
    SOCKET,
    UNITS,
    WEB,
    ask,
    block,
    faults,
    houses,
    is_active,
    of,
    sh,
    show,
    since,
    title,
    wait,
)

LOST = "I can't remember"
"""What a daemon says whose store cannot be opened."""


def machine() -> None:
    title("the machine")
    print("   ", sh("systemctl --version | head -n 1"), "/", sh("uname -r"))
    show("PID 1 is systemd", sh("cat /proc/1/comm") == "systemd", sh("readlink /proc/1/exe"))
    wait(lambda: is_active(WEB), 60)
    both = f"{of(SOCKET, 'ActiveState')}, {of(WEB, 'ActiveState')}"
    show("the page, enabled, came with the machine", both == "active, active", both)
    cycles = sh("journalctl -b --no-pager -o cat _PID=1 | grep -c 'ordering cycle'")
    show("no unit waits for itself", cycles == "0", f"{cycles} ordering cycles")
    sh(f"systemctl disable --now {SOCKET} {WEB}")
    show("cgroups of version 2", sh("stat -fc %T /sys/fs/cgroup") == "cgroup2fs")


def daemon() -> None:
    title(DAEMON)
    wait(lambda: is_active(DAEMON))
    took = since(DAEMON, "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    show("started with the machine, READY", is_active(DAEMON), f"after {took}")
    said = of(DAEMON, "StatusText")
    show("its STATUS: ready, with its memory", said.startswith("ready") and LOST not in said, said)
    show("its user", of(DAEMON, "User") == "companion", sh("id companion"))
    places = sh("stat -c '%A %U %n' /var/lib/companion /var/cache/companion /run/companion")
    show("its places", places.count(" companion ") == 3, places)
    status = sh("/usr/local/bin/companion status")
    show("`companion status`", "runs as process" in status)
    block(status)
    said = sh("echo 'My dog is called Zanzibar.' | /usr/local/bin/companion chat")
    show("`companion chat`, a turn without a model", "I can't think" in said, said)


def encrypted_key() -> None:
    title("an encrypted key (LoadCredentialEncrypted=)")
    key = "/etc/companion/companion-key"
    made = sh(f"umask 077; systemd-creds encrypt --name=companion-key {key} {key}.cred && rm {key}")
    sh(f"mkdir -p {UNITS}/{DAEMON}.d")
    sh(f"cp /opt/companion/systemd/encrypted-key.conf {UNITS}/{DAEMON}.d/")
    sh(f"systemctl daemon-reload; systemctl restart {DAEMON}")
    said = of(DAEMON, "StatusText")
    good = said.startswith("ready") and LOST not in said and not os.path.exists(key)
    show("the store opens with it", good, made or said)
    talks = sh("/usr/local/bin/companion sessions")
    show("the talk is still there", re.search(r"\d{4}-\d\d-\d\d-1", talks), talks)


def probe(unit: str, expected: set[str]) -> None:
    """What an intruder gets, under the properties of a unit. expected: what has to be open."""
    title(f"whoever takes over {unit}")
    Path("/tmp/of-others").write_text("seen")
    text = (UNITS / unit).read_text()
    program = f"{sys.executable} /opt/companion/scripts/unit_probe.py"
    text = re.sub(r"(?m)^ExecStart=.*", f"ExecStart={program}", text)
    text = re.sub(
        r"(?m)^(Requires|After|Restart\w*|WatchdogSec|NotifyAccess|\w+Directory|LoadCred\w+)=.*\n",
        "",
        text,
    )
    text = re.sub(r"(?m)^Type=.*", "Type=oneshot\nStandardOutput=file:/run/probed", text)
    if unit == DAEMON:
        text = text.replace("[Service]\n", "[Service]\nReadWritePaths=/var/lib/companion\n")
    (UNITS / "probe.service").write_text(text)
    Path("/run/probed").unlink(missing_ok=True)
    failed = sh("systemctl daemon-reload; systemctl start probe.service")
    lines = Path("/run/probed").read_text().splitlines() if not failed else [failed]
    opened = {line.removeprefix("open ") for line in lines if line.startswith("open ")}
    show("what is open to it", opened == expected, ", ".join(sorted(opened)))
    block("\n".join(lines))


def without() -> None:
    title("the same tries by root without a unit: the probe can fail")
    lines = sh(f"{sys.executable} /opt/companion/scripts/unit_probe.py").splitlines()
    shut = [line for line in lines if not line.startswith("open ")]
    show("nearly all are open", len(shut) <= 5, f"{len(lines)} tries; {'; '.join(shut)}")


def toy_off() -> None:
    title("the toy is switched off, comes back")
    sh(f"systemctl stop {DAEMON}")
    show(
        "`systemctl stop`",
        of(DAEMON, "Result") == "success",
        since(DAEMON, "ActiveExitTimestampMonotonic", "InactiveEnterTimestampMonotonic"),
    )
    status, text = ask("/talks")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.partition("<main")[2])).strip()
    show(
        "the page says so, and reads no store",
        status != "500" and "Zanzibar" not in text,
        f"{status} {words[:160]}",
    )
    sh(f"systemctl start --no-block {DAEMON}")
    begun = time.monotonic()
    status, _ = ask("/pin")
    show(
        "it answers while the toy starts",
        status != "000" and not is_active(DAEMON),
        f"{status} after {time.monotonic() - begun:.1f} s",
    )
    wait(lambda: is_active(DAEMON))
    status, text = ask("/talks")
    show("the session goes on with the toy that is back", status == "200", status)
    drop = Path(f"/run/systemd/system/{DAEMON}.d")
    drop.mkdir(parents=True, exist_ok=True)
    (drop / "slow.conf").write_text("[Service]\nExecStartPre=/bin/sleep 30\n")
    sh(f"systemctl daemon-reload; systemctl stop {WEB} {DAEMON}")
    sh(f"systemctl start --no-block {DAEMON}")
    begun = time.monotonic()
    status, _ = ask("/pin")
    took = time.monotonic() - begun
    show(
        "started anew while a slow toy starts, it answers too",
        status not in ("000", "500") and took < 25,
        f"{status} after {took:.1f} s",
    )
    (drop / "slow.conf").unlink()
    sh("systemctl daemon-reload")
    wait(lambda: is_active(DAEMON))


def killed() -> None:
    title("killed, hung, stopped")
    before = of(WEB, "MainPID")
    sh(f"kill -9 {before}")
    took = wait(lambda: of(WEB, "MainPID") not in ("0", before) and is_active(WEB))
    show("the page's process after SIGKILL", is_active(WEB), f"started anew after {took:.1f} s")
    show("whoever was in has to give the PIN again", ask("/talks")[0] == "303", "303")
    before = of(DAEMON, "MainPID")
    sh(f"kill -STOP {before}")
    took = wait(lambda: of(DAEMON, "MainPID") != before, 60)
    show(
        "a daemon that hangs is ended by the watchdog",
        took < 30,
        f"after {took:.1f} s: {sh(f'journalctl -b -u {DAEMON} -o cat -g atchdog | tail -n 1')}",
    )
    wait(lambda: is_active(DAEMON))
    show("and started anew", is_active(DAEMON), f"NRestarts={of(DAEMON, 'NRestarts')}")
    sh(f"kill -TERM {of(DAEMON, 'MainPID')}")
    wait(lambda: of(DAEMON, "ActiveState") == "inactive", 60)
    show(
        "SIGTERM ends it well, and nothing starts it again",
        of(DAEMON, "Result") == "success",
        of(DAEMON, "ActiveState"),
    )
    sh(f"systemctl start {DAEMON}")
    show("`systemctl start`", is_active(DAEMON))


def opinions() -> None:
    title("systemd's own opinion, of the units that run")
    for unit in (WEB, DAEMON):
        said = sh(f"systemd-analyze security --no-pager {unit} | tail -n 1")
        figure = re.search(r"unit: ([\d.]+)|level for \S+ ([\d.]+)|: ([\d.]+)", said)
        value = next((float(each) for each in figure.groups() if each), 9.9) if figure else 9.9
        show("at most 1.5", value <= 1.5, said)
    journal = sh("journalctl -b --no-pager -o cat")
    show("no word in the journal", "Zanzibar" not in journal and PIN not in journal)
    odd = sh("journalctl -b --no-pager -o cat _PID=1 -p warning -g companion | sort | uniq -c")
    block(odd)


def main() -> int:
    for step in (
        machine,
        houses,
        daemon,
        encrypted_key,
        switched_on,
        visit,
        its_process,
        without,
        lambda: probe(WEB, {"reach the control socket"}),
        lambda: probe(
            DAEMON,
            {
                "reach the control socket",
                "list /var/lib/companion",
                "read /var/lib/companion/store.db",
                "memory to write and run",
            },
        ),
        toy_off,
        killed,
        opinions,
        switched_off,
    ):
        try:
            step()
        except Exception as error:
            show("the trial itself", False, f"{type(error).__name__}: {error}")
    if faults:
        title("the journal")
        block(sh("journalctl -b --no-pager -o short-monotonic | grep -i compan | tail -n 150"))
    print(
        f"\n{'all as it should be' if not faults else f'{len(faults)} not: ' + '; '.join(faults)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
