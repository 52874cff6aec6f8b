"""The steps of scripts/unit_trial.py that are about the parents' page and its process."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from html import unescape
from pathlib import Path
from tempfile import mkdtemp

from unit_probe import HERE, PORT
from unit_scene import (
    HEARD_S,
    PIN,
    SOCKET,
    TOY_OUTSIDE,
    WEB,
    ask,
    block,
    is_active,
    listeners,
    of,
    sh,
    show,
    title,
    typed,
    wait,
)


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
    server = [sys.executable, "-m", "http.server", "8723"]
    with subprocess.Popen(server, stderr=subprocess.DEVNULL, cwd=mkdtemp()) as other:
        wait(lambda: ask("/", place="far", page=f"http://{TOY_OUTSIDE}:8723")[0] == "200", 30)
        status, _ = ask("/", place="far", page=f"http://{TOY_OUTSIDE}:8723")
        other.kill()
    show("a device that is not of the home reaches another port", status == "200", status)
    status, _ = ask("/pin", place="far", page=f"http://{TOY_OUTSIDE}:8722")
    show(
        "but the page does not even hear it",
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


def switched_off() -> None:
    title("the page is switched off")
    sh(f"systemctl disable --now {SOCKET} {WEB}")
    show("nothing listens", listeners() == "", "`ss -tlnp` is empty")
    show("no answer", ask("/pin")[0] == "000")
    show("its process is gone", of(WEB, "ActiveState") == "inactive", of(WEB, "Result"))
    wait(lambda: '"page": false' in sh("/usr/local/bin/companion status --json"), 30)
    show("the toy knows", '"page": false' in sh("/usr/local/bin/companion status --json"))
