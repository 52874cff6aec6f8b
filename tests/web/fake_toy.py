"""A toy in memory: the documents of `companion.parents`, without a store."""

from __future__ import annotations

from typing import Any

from companion.errors import DaemonError, InputError
from companion.store import audit
from companion.web.toy import SWITCHED_OFF
from tests.web.shapes import memory, turn

PIN = "204518"
READS = (
    "memories memory today fading who sessions transcript notices storage export settings erasing "
    "audit pin_state status models devices"
).split()


class FakeToy:
    """Says what it holds, and does what it is told. `asked` is what it was asked, in order."""

    def __init__(self) -> None:
        self.on = True
        self.pin: str | None = PIN
        self.code: str | None = None
        self.listening: dict[str, Any] | None = None
        self.missing = False
        self.device_list: dict[str, Any] = {"devices": [], "trouble": None}
        self.voice: dict[str, Any] | None = None
        self.pins = 1
        self.wait_s = 0.0
        self.wrong = 0
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.memories = {
            1: memory(1, 'The user said: "My dog is called Bello."'),
            2: memory(2, "The user cannot eat peanuts.", kind="health", pinned=True),
            3: memory(3, "The user saw a heron.", status="archived", retention=0.009),
        }
        self.sessions = ["2026-11-23-1"]
        self.turns = {
            "2026-11-23-1": [
                turn(1, "My dog is called Bello.", "Bello is a fine name!"),
                turn(2, "A secret that was stopped.", "Tell a grown-up.", "strangers"),
            ]
        }
        self.name: dict[str, Any] = {"value": "Mia", "source": self.memories[1]["sources"][0]}
        self.notice_list = [
            {
                "time": "2026-11-23T16:06:00+01:00",
                "topic": "strangers",
                "session": "2026-11-23-1",
                "turn": 2,
            }
        ]
        self.pending: list[dict[str, Any]] = []
        self.set: dict[str, Any] = {}
        self.personality = True
        self.questions: list[dict[str, Any]] = []
        self.fails: Exception | None = None

    async def is_on(self) -> bool:
        return self.on

    async def ask(self, do: str, **details: Any) -> Any:
        self.asked.append((do, details))
        if self.fails is not None and do not in READS:
            raise self.fails
        if not self.on and do not in READS:
            raise DaemonError(SWITCHED_OFF)
        return getattr(self, f"_{do}")(**details)

    def changes(self) -> list[str]:
        """What it was asked to change."""
        return [do for do, _ in self.asked if do not in READS and do != "audit_add"]

    # ---- reads

    def _memories(self, **filters: Any) -> Any:
        status, query = filters.get("status", "active"), filters.get("query", "").lower()
        found = [
            each
            for each in self.memories.values()
            if status in ("all", each["status"]) and query in each["text"].lower()
        ]
        offset, limit = filters["offset"], filters["limit"]
        return {"total": len(found), "memories": found[offset : offset + limit]}

    def _memory(self, id: int) -> Any:
        return self._held(id) | {
            "curve": [[day, 0.97**day] for day in range(0, 60, 2)],
            "uses": [0.0, 4.0],
            "r_min": 0.01,
            "lived_now_days": 6.0,
            "superseded_by": None,
            "replaces": [],
            "corrected": None,
        }

    def _held(self, id: int) -> dict[str, Any]:
        if id not in self.memories:
            raise InputError(f"there is no memory {id}")
        return self.memories[id]

    def _today(self) -> Any:
        active = [each for each in self.memories.values() if each["status"] == "active"]
        return {
            "learnt": active,
            "changed": [{"new": active[0], "old": active[-1]}] if active else [],
            "withdrawn": 1,
            "health": [each for each in active if each["kind"] == "health"],
            "last_consolidation": "2026-11-23T03:00:00+01:00",
            "next": "after the next talk",
            "questions": self.questions,
            "profile_questions": [],
            "as_of": "2026-11-23T17:00:00+01:00",
        }

    def _fading(self, days: int) -> Any:
        active = [each for each in self.memories.values() if not each["pinned"]]
        archived = [each for each in active if each["status"] == "archived"]
        soon = [each | {"falls_in_days": 2.5} for each in active if each["status"] == "active"]
        return {
            "r_min": 0.01,
            "days": days,
            "memories": soon,
            "archived": {"total": len(archived), "memories": archived},
        }

    def _who(self) -> Any:
        nothing = {"value": None, "source": None}
        evidence = {
            "text": "Curious.",
            "quote": "Why is the sea salty?",
            "session": "2026-11-23-1",
            "turn": 1,
        }
        personality = {"on": self.personality, "text": "Curious.", "evidence": [evidence]}
        return {"name": self.name, "age": nothing, "gender": nothing, "personality": personality}

    def _sessions(self, offset: int, limit: int) -> Any:
        found = [
            {
                "id": each,
                "started": "2026-11-23T16:00:00+01:00",
                "ended": "2026-11-23T16:30:00+01:00",
                "turns": 2,
                "stopped": {"2": "strangers"},
            }
            for each in self.sessions
        ]
        return {"total": len(found), "sessions": found[offset : offset + limit]}

    def _transcript(self, session: str, unlocked: bool) -> Any:
        if session not in self.turns:
            raise InputError("there is no such session")
        turns = [
            each | ({"said": None, "reply": None} if each["stopped"] and not unlocked else {})
            for each in self.turns[session]
        ]
        return {"id": session, "turns": turns}

    def _notices(self) -> Any:
        return self.notice_list

    def _storage(self) -> Any:
        files = [{"name": "companion.db", "bytes": 4_200_000}]
        return {"files": files, "backups": 2, "free_bytes": 8_000_000_000}

    def _export(self) -> Any:
        sessions = [
            {
                "id": each,
                "messages": [
                    {"turn": held["turn"], "role": "user", "text": held["said"]}
                    for held in self.turns.get(each, [])
                ],
                "stopped": {
                    str(held["turn"]): held["stopped"]
                    for held in self.turns.get(each, [])
                    if held["stopped"]
                },
            }
            for each in self.sessions
        ]
        return {"memories": list(self.memories.values()), "sessions": sessions}

    def _settings(self) -> Any:
        key: dict[str, Any] = {
            "key": "service.minutes_a_day",
            "value": self.set.get("service.minutes_a_day", 0),
            "default": 0,
            "from": "settings" if self.set else "default",
            "what": "Minutes of talk a day; 0: no limit",
            "kind": "int",
            "choices": [],
            "applies": "now",
        }
        name = key | {
            "key": "persona.name",
            "value": "Pip",
            "what": "The toy's name",
            "kind": "str",
            "from": "file",
        }
        return {"keys": [key, name]}

    def _erasing(self) -> Any:
        return {"pending": self.pending, "undo_s": 600}

    def _audit(self) -> Any:
        return [{"time": "2026-11-23T16:20:00+01:00", "what": "keep", "count": 1}]

    def _status(self) -> Any:
        return {
            "phase": "asleep",
            "safe_mode": None,
            "problem": None,
            "missing": [],
            "models": {"active": "qwen"},
            "voice": self.voice,
            "listening": self.listening,
        }

    def _pin_state(self) -> Any:
        return {"set": self.pin is not None, "wait_s": self.wait_s, "version": self.pins}

    # ---- changes

    def _pin_try(self, pin: str, who: str) -> Any:
        if pin == self.pin:
            self.wrong = 0
            return {"ok": True, "wait_s": 0}
        self.wrong += 1
        self.wait_s = 60.0 * 2 ** (self.wrong - 5) if self.wrong >= 5 else 0.0
        return {"ok": False, "wait_s": self.wait_s}

    def _pin_set(self, pin: str, code: str) -> Any:
        if code != self.code:
            self.wrong += 1
            self.wait_s = 60.0 if self.wrong == 5 else 0.0
            raise InputError("that is not the code")
        self.pin, self.code, self.pins = pin, None, self.pins + 1
        return self._pin_state()

    def _models(self) -> Any:
        one = {"name": "qwen", "title": "Qwen 1.5B", "role": "llm", "bytes": 10**9}
        return [one | {"present": not self.missing, "needed": True}]

    def _devices(self) -> Any:
        return self.device_list

    def _listen(self, stop: bool = False, minutes: int | None = None) -> Any:
        self.listening = None if stop else {"left_s": 600.0, "waiting": 0}
        return self.listening or {"left_s": 0.0}

    def _backup(self) -> Any:
        return {"file": "backups/store.3.db", "bytes": 4_200_000, "backups": 3}

    def _audit_add(self, what: str, count: int) -> Any:
        if not audit.NAME.fullmatch(what):  # as the store refuses it
            raise AssertionError(what)

    def _keep(self, id: int) -> Any:
        self._held(id)["pinned"] = True
        return self._held(id)

    def _restore(self, id: int) -> Any:
        self._held(id)["status"] = "active"
        return self._held(id)

    def _correct(self, **details: Any) -> Any:
        if "field" in details:
            self.name = {"value": details["value"], "source": "parent"}
            return self._who()
        self._held(details["memory"])["status"] = "superseded"
        new = memory(len(self.memories) + 1, details["text"], sources=[], told_by_parent=True)
        self.memories[new["id"]] = new
        return {"memory": new}

    def _erase(self, now: bool, **what: Any) -> Any:
        if "all" in what:
            self.memories.clear()
            self.turns.clear()
            return {"erased": "all"}
        if "memory" in what:
            gone: Any = self._held(what["memory"])
            del self.memories[what["memory"]]
        else:
            gone = what
        id = len(self.pending) + 1
        self.pending.append(
            {"id": id, "what": "memory", "shown_as": "A memory", "due_in_s": 600, "gone": gone}
        )
        return {"erasing": id, "due_in_s": 600}

    def _undo(self, id: int) -> Any:
        (found,) = [each for each in self.pending if each["id"] == id]
        self.pending.remove(found)
        self.memories[found["gone"]["id"]] = found["gone"]

    def _erase_now(self, id: int) -> Any:
        self.pending = [each for each in self.pending if each["id"] != id]

    def _answer(self, question: int, accept: bool) -> Any:
        self.questions = [each for each in self.questions if each["id"] != question]
        return {"answered": question}

    def _personality(self, on: bool, erase: bool) -> Any:
        self.personality = on

    def _clear_notices(self) -> Any:
        self.notice_list = []

    def _set(self, key: str, value: Any) -> Any:
        if not key.startswith(("service.", "persona.")):
            raise InputError(f"{key} cannot be set from here")
        self.set[key] = value
        return self._settings()
