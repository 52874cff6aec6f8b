"""The dialog acts that are told apart."""

from __future__ import annotations

ACTS = (
    *("greeting", "goodbye", "thanks", "sorry", "love", "insult"),
    *("yes_no", "short_answer", "one_word", "nonsense"),
    *("good_news", "bad_news", "telling", "and_then"),
    *("feeling_sad", "feeling_angry", "feeling_afraid", "feeling_happy", "bored", "tired_or_ill"),
    *("fact_question", "why_question", "hard_question", "spelling_or_sums"),
    *("about_toy", "about_memory"),
    *("ask_story", "ask_joke", "ask_riddle", "ask_song", "ask_game", "ask_timer", "ask_time"),
    *("ask_device", "ask_cannot", "advice", "pretend", "game_move"),
    *("tells_joke", "correction", "wants_remember"),
)
"""What each means: tests/strangers/README.md."""
