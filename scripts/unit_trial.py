"""The units, tried one after the other; runs as root in the machine of scripts/try_units only.

Prints a line for each thing that is to be shown, with what was seen; the last begins with `all`
when everything was as it should be.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from tempfile import mkdtemp

from unit_probe import HERE, PORT

WEB, SOCKET, DAEMON = "companion-web.service", "companion-web.socket", "companion.service"
UNITS = Path("/etc/systemd/system")
TOY = "192.168.77.1"
STRANGER, TOY_OUTSIDE = "198.51.100.2", "198.51.100.1"
PAGE = f"http://{TOY}:8722"
PIN = "204518"
JAR = Path(mkdtemp()) / "cookies"
PATIENCE_S = 300
"""For one step: the machine is emulated."""

HEARD_S = 20
"""For a connection."""

faults: list[str] = []


def sh(command: str, timeout: float = PATIENCE_S) -> str:
    """What a command says, on both channels."""
    done = subprocess.run(
        command,
        shell=True,
        text=True,
        timeout=timeout,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.strip()


def show(what: str, good: object, seen: object = "") -> None:
    """One line of the report."""
    text = " / ".join(str(seen).split("\n"))
    print(f"{'ok ' if good else 'NOT'} {what}{': ' if text else ''}{text}", flush=True)
    if not good:
        faults.append(what)


def title(text: str) -> None:
    print(f"\n== {text}", flush=True)


def block(text: str) -> None:
    print("".join(f"    {line}\n" for line in text.splitlines()), end="", flush=True)


def of(unit: str, name: str) -> str:
    """A property of a unit."""
    return sh(f"systemctl show --value -p {name} {unit}")


def wait(until: Callable[[], object], limit_s: float = PATIENCE_S) -> float:
    """Seconds until something was so; the limit, when it never was."""
    begun = time.monotonic()
    while not until() and time.monotonic() - begun < limit_s:
        time.sleep(0.2)
    return time.monotonic() - begun


def is_active(unit: str) -> bool:
    return of(unit, "ActiveState") == "active"


def since(unit: str, first: str, last: str) -> str:
    return f"{(int(of(unit, last)) - int(of(unit, first))) / 1e6:.1f} s"


# ---- the network around


def houses() -> None:
    """A device of the home network and one of elsewhere, each with its own stack."""
    sh("ip link set lo up")
    for name, device, toy in (("home", HERE, TOY), ("far", STRANGER, TOY_OUTSIDE)):
        sh(f"ip netns add {name}; ip link add to-{name} type veth peer name eth0 netns {name}")
        sh(f"ip addr add {toy}/24 dev to-{name}; ip link set to-{name} up")
        sh(f"ip -n {name} addr add {device}/24 dev eth0; ip -n {name} link set eth0 up")
    server = ["ip", "netns", "exec", "home", sys.executable, "-m", "http.server", str(PORT)]
    subprocess.Popen(server, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=mkdtemp())


def ask(path: str, *form: str, place: str = "home", page: str = PAGE) -> tuple[str, str]:
    """Status and text of a page, as a browser in that house would have it; 000: no answer."""
    words = " ".join(f"--data-urlencode '{field}'" for field in form)
    if form:
        words += f" -H 'Origin: {page}'"
    answer = sh(
        f"ip netns exec {place} curl -s --connect-timeout {HEARD_S} -m {PATIENCE_S} "
        f"-b {JAR} -c {JAR} -w '\\n%{{http_code}}' {words} '{page}{path}'"
    )
    text, _, status = answer.rpartition("\n")
    return status, text


def listeners() -> str:
    return sh("ss -Htlnp 'sport = :8722'")


# ---- steps


def machine() -> None:
    title("the machine")
    print("   ", sh("systemctl --version | head -n 1"), "/", sh("uname -r"))
    show("PID 1 is systemd", sh("cat /proc/1/comm") == "systemd", sh("readlink /proc/1/exe"))
    show("cgroups of version 2", sh("stat -fc %T /sys/fs/cgroup") == "cgroup2fs")


def daemon() -> None:
    title(DAEMON)
    wait(lambda: is_active(DAEMON))
    took = since(DAEMON, "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    show("started with the machine, READY", is_active(DAEMON), f"after {took}")
    show("its STATUS", of(DAEMON, "StatusText"), of(DAEMON, "StatusText"))
    show("its user", of(DAEMON, "User") == "companion", sh("id companion"))
    places = sh("stat -c '%A %U %n' /var/lib/companion /var/cache/companion /run/companion")
    show("its places", places.count(" companion ") == 3, places)
    status = sh("/usr/local/bin/companion status")
    show("`companion status`", "page" in status.lower() or "memor" in status.lower())
    block(status)
    said = sh("echo 'My dog is called Zanzibar.' | /usr/local/bin/companion chat")
    show("`companion chat`, a turn without a model", said, said)


def encrypted_key() -> None:
    title("an encrypted key (LoadCredentialEncrypted=)")
    key = "/etc/companion/companion-key"
    made = sh(f"umask 077; systemd-creds encrypt --name=companion-key {key} {key}.cred && rm {key}")
    sh(f"mkdir -p {UNITS}/{DAEMON}.d")
    sh(f"cp /opt/companion/systemd/encrypted-key.conf {UNITS}/{DAEMON}.d/")
    sh(f"systemctl daemon-reload; systemctl restart {DAEMON}")
    good = is_active(DAEMON) and not os.path.exists(key)
    show("the store opens with it", good, made or of(DAEMON, "StatusText"))
    talks = sh("/usr/local/bin/companion sessions")
    show("the talk is still there, asked by `companion`", talks, talks)


def switched_on() -> None:
    title("the page is switched on")
    show("off: nothing listens", listeners() == "", "`ss -tlnp` is empty")
    show("off: no answer", ask("/pin")[0] == "000")
    took = time.monotonic()
    sh(f"systemctl start {SOCKET}")
    took = time.monotonic() - took
    show("`systemctl start companion-web.socket`", is_active(SOCKET), f"{took:.1f} s")
    wait(lambda: is_active(WEB))
    show("its process is there at once, to tell the toy", is_active(WEB))
    wait(lambda: '"page": true' in sh("/usr/local/bin/companion status --json"), 60)
    told = re.findall(r'"page": \w+', sh("/usr/local/bin/companion status --json"))
    show("the toy knows", told == ['"page": true'], told)
    status, _ = ask("/pin")
    show("the page answers a device of the home", status == "200", status)
    on = listeners()
    show("on: one line of `ss -tlnp`", on.count("\n") == 0 and "8722" in on)
    block(on)
    sh(f"systemctl stop {WEB}")
    alone = listeners()
    show("without its process systemd holds the port", '"systemd",pid=1' in alone)
    block(alone)
    begun = time.monotonic()
    status, _ = ask("/pin")
    show(
        "the first request starts it",
        status == "200" and is_active(WEB),
        f"{time.monotonic() - begun:.1f} s",
    )


def typed(command: str, text: str) -> str:
    """A command on a terminal at which somebody types."""
    said = b""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("sh", ["sh", "-c", command])
    try:
        for line in text.splitlines():
            asked = b""
            while not asked.rstrip().endswith(b":"):
                asked += os.read(terminal, 1024)
            said += asked
            os.write(terminal, line.encode() + b"\n")
        while more := os.read(terminal, 1024):
            said += more
    except OSError:
        pass  # it has ended
    os.waitpid(pid, 0)
    return said.decode().replace("\r", "").strip()


def visit() -> None:
    title("a parent's visit")
    show("no PIN yet", "There is no PIN yet" in ask("/pin")[1])
    said = typed("/usr/local/bin/companion web pin", f"{PIN}\n{PIN}\n")
    show("`companion web pin` on a terminal", "The PIN is set" in said, said.splitlines()[-1:])
    time.sleep(3)
    show("a wrong PIN", ask("/pin", "pin=111111")[0] == "403", "403")
    show("the right one", ask("/pin", f"pin={PIN}")[0] == "303", "303")
    pages = ("/", "/memories", "/fading", "/who", "/talks", "/notices", "/times", "/toy")
    seen = {path: ask(path)[0] for path in pages}
    show("pages", set(seen.values()) == {"200"}, " ".join(f"{p} {s}" for p, s in seen.items()))
    talks = re.findall(r'href="(/talk\?id=[^"#]+)"', ask("/talks")[1])
    talk = unescape(talks[0]) if talks else "/talks"
    text = ask(talk)[1]
    show("a talk, with the words that were said", "Zanzibar" in text)
    fields = dict(re.findall(r'name="(token|session)" value="([^"]+)"', text))
    form = [f"{name}={value}" for name, value in fields.items()]
    show("a turn is erased", ask("/talks/erase-turn", *form, "turn=1")[0] == "303")
    show("it is gone from the talk", "Zanzibar" not in ask(talk)[1])
    show("and undone", ask("/undo", *form, "id=1")[0] == "303" and "Zanzibar" in ask(talk)[1])
    status, _ = ask("/pin", place="far", page=f"http://{TOY_OUTSIDE}:8722")
    show(
        "a device that is not of the home is not even heard",
        status == "000",
        f"no connection in {HEARD_S} s",
    )


def its_process() -> None:
    title("the process of the page, as it runs")
    pid = of(WEB, "MainPID")
    names = "Uid|Groups|CapEff|CapBnd|NoNewPrivs|Seccomp|Seccomp_filters|VmRSS"
    facts = sh(f"grep -E '^({names}):' /proc/{pid}/status")
    block(facts)
    show(
        "no capability, no new ones, filters",
        re.search(r"CapEff:\s0+$", facts, re.M) and re.search(r"NoNewPrivs:\s1", facts),
    )
    links = sh(f"nsenter -t {pid} -n ip -br addr")
    show("its network: a loopback alone", links.split()[:1] == ["lo"] and "\n" not in links, links)
    called = sh(
        f"nsenter -t {pid} -n curl -s -m 5 -w '%{{http_code}}' http://{HERE}:{PORT}/; echo rc $?"
    )
    show("from there nobody can be called, not even by root", "rc 7" in called, called)
    files = sh(f"ls -l /proc/{pid}/fd | grep -o '[^ ]* -> .*'")
    show("no file of the store is open", "/var/lib" not in files)
    group = Path("/sys/fs/cgroup/system.slice") / WEB
    kept = {each: group / each for each in ("memory.max", "memory.swap.max", "pids.max")}
    if kept["memory.max"].exists():
        values = {each: file.read_text().strip() for each, file in kept.items()}
        good = values == {"memory.max": str(128 << 20), "memory.swap.max": "0", "pids.max": "16"}
        show("limits, kept by the kernel", good, " ".join(f"{k} {v}" for k, v in values.items()))
    else:
        print("--  limits: this machine gives its cgroups of version 2 no controllers")


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


def switched_off() -> None:
    title("the page is switched off")
    sh(f"systemctl disable --now {SOCKET} {WEB}")
    show("nothing listens", listeners() == "", "`ss -tlnp` is empty")
    show("no answer", ask("/pin")[0] == "000")
    show("its process is gone", of(WEB, "ActiveState") == "inactive", of(WEB, "Result"))
    wait(lambda: '"page": false' in sh("/usr/local/bin/companion status --json"), 30)
    show("the toy knows", '"page": false' in sh("/usr/local/bin/companion status --json"))


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
