from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.dialog.window import Exchange, Window, cut, cut_to_tokens, without


def exchanges(count: int, first: int = 1) -> Window:
    return tuple(Exchange(n, f"question {n}", f"answer {n}") for n in range(first, first + count))


def test_grows_to_its_slack_and_is_then_cut_back_at_once() -> None:
    sizes = []
    window: Window = ()
    for number in range(1, 31):
        window = cut((*window, Exchange(number, "q", "a")), keep=10, slack=6)
        sizes.append(sum(exchange.messages for exchange in window))
    assert sizes == [2, 4, 6, 8, 10, 12, 14, 16, *([10, 12, 14, 16] * 6)][:30]


def test_between_cuts_the_window_only_grows_at_its_end() -> None:
    before: Window = ()
    cuts = 0
    for number in range(1, 200):
        after = cut((*before, Exchange(number, "q", "a")), keep=15, slack=16)
        if after[: len(before)] != before:
            cuts += 1
        before = after
    # 16 messages of slack are 8 turns: one cut in about nine turns, not one in each.
    assert cuts <= 199 / 8


def test_is_cut_between_exchanges_never_inside_one() -> None:
    window = cut(exchanges(10), keep=5, slack=0)
    assert [exchange.number for exchange in window] == [9, 10]


def test_an_interrupted_exchange_counts_for_one_message() -> None:
    window = (*exchanges(2), Exchange(3, "hello?", None))
    assert cut(window, keep=3, slack=0) == window[1:]


def test_the_last_exchange_stays_however_small_the_window() -> None:
    assert [exchange.number for exchange in cut(exchanges(3), keep=1, slack=0)] == [3]


@given(st.lists(st.tuples(st.booleans(), st.booleans())), st.integers(1, 20), st.integers(0, 20))
def test_a_cut_leaves_the_newest_and_cutting_again_changes_nothing(
    shape: list[tuple[bool, bool]], keep: int, slack: int
) -> None:
    window = tuple(
        Exchange(n, "q" if user else None, "a" if reply else None)
        for n, (user, reply) in enumerate(shape)
    )
    after = cut(window, keep=keep, slack=slack)
    assert window[len(window) - len(after) :] == after
    assert cut(after, keep=keep, slack=slack) == after
    assert sum(e.messages for e in after) <= max(keep + slack, 2)


def test_tokens_over_the_most_bring_the_window_down_to_the_target() -> None:
    def tokens(window: Window) -> int:
        return 100 + 10 * len(window)

    assert cut_to_tokens(exchanges(5), tokens, most=150, target=120) == exchanges(5)
    assert cut_to_tokens(exchanges(6), tokens, most=150, target=120) == exchanges(2, first=5)
    assert cut_to_tokens(exchanges(6), tokens, most=90, target=90) == ()


def test_what_is_taken_out_leaves_no_notes_that_may_hold_it() -> None:
    noted = Exchange(2, "q", "a", "Monday: They: a kite", frozenset({"s#1"}))
    assert without((*exchanges(1), noted), {1}) == (Exchange(2, "q", "a"),)
