"""A parent's quarter of an hour at the page while the toy is talked to, as a transcript: a real
model, a real daemon, written talk.

    python -m tests.web.quarter_hour [--model qwen2.5-coder-1.5b]
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path

from tests.daemon.conftest import Daemon, Home
from tests.web.test_process import PIN, Parent, free_port, page

CONFIG = """llm:
  active: {{model: {model}, context_tokens: 4096}}
consolidation: {{inactivity_s: 3600}}
store: {{encrypt: false}}
stt: {{directory: /nowhere}}
tts: {{directory: /nowhere}}
"""
BEFORE = (
    "Hi! I'm Mika and I'm seven.",
    "My dog is called Bruno and he loves sausages.",
    "On Saturdays I paint with my grandma.",
    "My best friend is Noor, she lives next door.",
    "Yesterday I broke the blue vase in the hall.",
)


class Visit:
    """Child and parent, and what is printed of them."""

    def __init__(self, daemon: Daemon, parent: Parent, data: Path) -> None:
        self._daemon, self._parent, self._data = daemon, parent, data
        self._token = ""
        self._pool = ThreadPoolExecutor(1)

    def child(self, words: str) -> str:
        began = time.monotonic()
        events = self._daemon.events("chat", text=words)
        said = " ".join(each["sentence"] for each in events if "sentence" in each)
        print(f"child:  {words}\ntoy:    {said}   ({time.monotonic() - began:.1f} s)", flush=True)
        return said

    def meanwhile(self, words: str) -> Future[str]:
        """The child speaks, and the toy has begun to answer."""
        spoken = self._pool.submit(self.child, words)
        time.sleep(0.3)
        return spoken

    def look(self, path: str) -> str:
        status, text = self._parent.ask("GET", path)
        assert status == 200, (path, status, text)
        self._token = re.findall(r'name="token" value="([^"]+)"', text)[0]
        return unescape(text)

    def do(self, what: str, path: str, **form: str) -> str:
        began = time.monotonic()
        status, place = self._parent.ask("POST", path, token=self._token, **form)
        assert status == 303, (path, status, place)
        text = self.look(place)
        said = re.findall(r'<p class="banner" role="status">(.*?)</p>', text)
        took = time.monotonic() - began
        print(f"parent: {what}\npage:   {said[0] if said else ''}   ({took:.1f} s)", flush=True)
        return text

    def memory(self, word: str) -> int:
        """The number of the memory of words of the child with this one; 0: none was made."""
        self.look("/memories")
        form = {"token": self._token, "q": word, "kind": "", "status": "active"}
        text = self.look(self._parent.ask("POST", "/memories/search", **form)[1])
        shown = re.findall(r'<p class="text"><a href="/memories/(\d+)">(.*?)</a>', text, re.DOTALL)
        told = [int(id) for id, words in shown if word in words.partition("user said")[2]]
        return told[0] if told else 0

    def turn(self, word: str) -> dict[str, str]:
        """The form that erases the turn with this word."""
        for place in re.findall(r'href="(/talk\?id=[^"#]+)"', self.look("/talks")):
            text, before = self.look(place), ""
            for form in re.split(r"<form", text):
                number = re.search(r'name="turn" value="(\d+)"', form)
                session = re.search(r'name="session" value="([^"]+)"', form)
                said = before[before.rfind("<li ") :]
                if number and session and word in said:
                    return {"session": session[1], "turn": number[1]}
                before += form
        raise AssertionError(f"no turn with {word!r}")

    def bytes_with(self, word: str) -> int:
        """In how many files it stands."""
        files = [each for each in self._data.rglob("*") if each.is_file()]
        return sum(word.encode() in each.read_bytes() for each in files)


def play(visit: Visit, daemon: Daemon, parent: Parent) -> None:
    for words in BEFORE:
        visit.child(words)
    print("(the toy rests, and goes over what was said)")
    daemon.ask("sleep", wait=True)
    assert parent.ask("POST", "/pin", pin=PIN) == (303, "/")
    found = re.findall(r'<p class="text">(.*?)</p>', visit.look("/"), re.DOTALL)
    learnt = [re.sub(r"\s*<[^>]+>\s*", " ", each).strip() for each in found]
    print("page, Today:", *dict.fromkeys(learnt), sep="\n  ")

    talking = visit.meanwhile("Tell me about whales.")
    dog = str(visit.memory("Bruno"))
    visit.do("corrects it: The dog is called Bruna.", "/memories/correct", id=dog,
             text="The dog is called Bruna. She loves sausages.")  # fmt: skip
    talking.result()
    visit.child("What's my dog called?")

    word = "paint" if visit.memory("paint") else "Noor"
    id = str(visit.memory(word))
    visit.do(f"keeps the memory with {word!r}", "/memories/keep", id=id, back="memory")

    talking = visit.meanwhile("Are whales fish?")
    vase = visit.turn("vase")
    visit.do("erases the turn with the vase", "/talks/erase-turn", **vase)
    talking.result()
    visit.child("What did I break yesterday?")
    text = visit.look("/")
    pending = re.findall(r'name="id" value="(\d+)"', text[text.find("/undo") :])[0]
    visit.do("brings it back", "/undo", id=pending)
    visit.child("What did I break yesterday?")
    print(f"(files with the word vase: {visit.bytes_with('vase')})")
    visit.do("erases the turn again", "/talks/erase-turn", **visit.turn("the blue vase"))
    for talk in range(3):  # what was said of it since
        try:
            again = visit.turn("vase")
        except AssertionError:
            break
        visit.do(f"erases what was said of it since ({talk + 1})", "/talks/erase-turn", **again)
    while ids := re.findall(r'action="/erase-now".*?name="id" value="(\d+)"', visit.look("/")):
        visit.do("erases it for good now", "/erase-now", id=ids[0])
    print(f"(files with the word vase: {visit.bytes_with('vase')})")
    visit.child("What did I break yesterday?")

    now = datetime.now().astimezone()
    hours = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M}"
    quiet = {"key": "service.quiet", "kind": "str"}
    visit.look("/times")
    visit.do(f"sets quiet hours: {hours}", "/settings", value=hours, **quiet)
    visit.child("Can we play a game?")
    visit.child("Just one more story?")
    visit.child("My grandpa fell down and he doesn't wake up!")
    visit.look("/times")
    visit.do("sets them back", "/settings", reset="1", **quiet)
    audit = re.findall(r"<td>([a-z][^<]*)</td><td>1</td>", visit.look("/toy"))
    print("page, Toy, what was done here:", ", ".join(reversed(audit)))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", default="qwen2.5-coder-1.5b")
    model = options.parse_args().model
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home(Path(folder), CONFIG.format(model=model))
        daemon = stack.enter_context(home.daemon())
        daemon.wait_for("READY=1")
        daemon.ask("pin_set", pin=PIN)
        port = free_port()
        stack.enter_context(page(home, port, Path(folder, "web.log")))
        parent = Parent(port)
        parent.wait()
        play(Visit(daemon, parent, home.data_dir), daemon, parent)
        stack.callback(daemon.stop)


if __name__ == "__main__":
    main()
