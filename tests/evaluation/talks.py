"""A labelled conversation of two short sessions, written for these tests."""

from __future__ import annotations

from typing import Any


def _said(session: int, number: int, speaker: str, text: str) -> dict[str, str]:
    return {"dia_id": f"D{session}:{number}", "speaker": speaker, "text": text}


TALK: dict[str, Any] = {
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            _said(1, 1, "Ana", "My parrot Rio learned to whistle a whole song."),
            _said(1, 2, "Bo", "That must be loud in the morning."),
            _said(1, 3, "Ana", "It is, but we like it."),
            _said(1, 4, "Bo", "I am training for a marathon in the mountains."),
        ],
        "session_2_date_time": "9:10 am on 25 May, 2023",
        "session_2": [
            _said(2, 1, "Bo", "The bakery gave me a job on Saturdays."),
            _said(2, 2, "Ana", "How is the marathon going?"),
            _said(2, 3, "Bo", "I bake rye bread there from five in the morning."),
        ],
    },
    "observation": {
        "session_1_observation": {
            "Ana": [["Ana's parrot Rio whistles a song.", "D1:1"]],
            "Bo": [["Bo trains for a mountain marathon.", "D1:4"]],
        },
        "session_2_observation": {
            "Bo": [["Bo works at a bakery on Saturdays.", ["D2:1", "D2:3"]]],
        },
    },
    "qa": [
        {"question": "What can Ana's parrot do?", "evidence": ["D1:1"], "category": 4},
        {
            "question": "Which marathon does Bo train for?",
            "evidence": ["D1:4", "D2:2"],
            "category": 1,
        },
    ],
}
