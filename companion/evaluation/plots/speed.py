"""Plots of time: first tokens, long talks, recall, interruptions, starts."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]

COLOURS = {"paper": "#b2182b", "stable": "#2166ac", "spoken": "#1b7837"}
WORDS = {
    "paper": "paper: memories in the system prompt",
    "stable": "stable prefix: memories in the message",
    "spoken": "the same, read while it was spoken",
}
CONTRACT = {"color": "black", "linestyle": "--", "linewidth": 1}
OURS, OTHER = "#2166ac", "#999999"


def ttft(figure: Any, result: Document) -> None:
    """First token, tokens read and decode speed against the length of the context."""
    times, read, speed = figure.subplots(1, 3)
    lengths = result["lengths"]
    across = [each["context_tokens"] for each in lengths]
    for arm, colour in COLOURS.items():
        rows = [each["arms"][arm] for each in lengths]
        style = {"marker": "o", "color": colour, "label": WORDS[arm]}
        times.plot(across, [row["ttft_ms"] / 1000 for row in rows], **style)
        read.plot(across, [row["evaluated_tokens"] for row in rows], **style)
        speed.plot(across, [row["decode_tokens_per_s"] for row in rows], **style)
    if across[-1] >= 2_400:  # What the contract speaks of.
        for arm, ratio in result["contract"].items():
            most = lengths[-1]["arms"]["paper"]["ttft_ms"] / 1000 / ratio
            times.plot(across[-1], most, linestyle="", marker="_", markersize=22,
                       markeredgewidth=2, color=COLOURS[arm])  # fmt: skip
            times.annotate(f"contract: {ratio} times sooner  ", (across[-1], most), ha="right",
                           va="bottom", fontsize=8, color=COLOURS[arm])  # fmt: skip
    times.set(
        yscale="log", ylabel="seconds to the first token (log scale, lower is better)",
        title="Wait for the first token",
    )  # fmt: skip
    read.set(
        yscale="log", ylabel="prompt tokens evaluated (log scale, lower is better)",
        title="Why: tokens that have to be read",
    )  # fmt: skip
    speed.set(
        ylim=(0, None),
        ylabel="tokens written a second (higher is better)",
        title="Speed of writing",
    )
    for axes in (times, read, speed):
        axes.set_xlabel("tokens in the context")
        axes.grid(alpha=0.3)
        axes.yaxis.set_major_formatter("{x:,g}")
    speed.legend(loc="lower left", fontsize=8)
    figure.suptitle(
        f"{result['context_tokens']:,} tokens of context: first token {result['ratio_stable']:.0f} "
        f"times sooner than the paper's layout, {result['ratio_spoken']:.0f} times when read while "
        "it was spoken"
    )


def turns(figure: Any, result: Document) -> None:
    """Tokens read at each turn, and what the runtime adds to llama.cpp's own time."""
    each, overhead = result["each"], result["overhead"]
    reading, adding = figure.subplots(1, 2)
    numbers = range(1, result["turns"] + 1)
    reading.plot(numbers, each["prompt"], color=OTHER, label="tokens of the whole prompt")
    reading.bar(numbers, each["evaluated"], color=OURS, label="tokens that had to be read")
    reading.set(
        xlabel="turn of the conversation", ylabel="tokens (lower is better)",
        title=f"{result['turns_within_contract']} of {result['turns']} turns read no more than "
        "words, notes and 16 tokens",
    )  # fmt: skip
    reading.title.set_fontsize(10)
    reading.xaxis.set_major_locator(whole_numbers())
    reading.legend(loc="center right")
    if overhead is None or not any(each["bare_ms"]):
        why = "the model runs in a server" if overhead is None else "nothing but a token was said"
        adding.text(0.5, 0.5, f"{why}: not compared", ha="center")
        adding.set_axis_off()
    else:
        _overhead(adding, each, overhead)
    figure.suptitle(
        f"A conversation of {result['turns']} turns: "
        f"only {result['evaluated_share']:.1%} of all prompt tokens have to be read"
    )


def _overhead(axes: Any, each: Document, overhead: Document) -> None:
    """Time of each turn's tokens over bare llama.cpp's for the same ids, and over all turns."""
    shares = [
        (ours / bare - 1) * 100
        for ours, bare in zip(each["ours_ms"], each["bare_ms"], strict=True)
        if bare > 0
    ]
    axes.scatter(
        range(1, len(shares) + 1), shares, s=14, color=OTHER, label="one turn (noise and all)"
    )
    axes.axhline(overhead["per_token"] * 100, color=OURS, linewidth=2,
                 label=f"all turns together: {overhead['per_token']:+.1%}")  # fmt: skip
    axes.axhline(overhead["contract"] * 100, **CONTRACT, label="contract: 1 % at most")
    ordered = sorted(shares)
    low, high = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    axes.set(
        xlabel="turn of the conversation",
        ylabel="time per token beyond bare llama.cpp, % (lower is better)",
        ylim=(min(low, -2) - 3, max(high, 2) + 3),
        title=f"The runtime adds {overhead['per_token']:+.1%} to llama.cpp's "
        f"{overhead['bare_ms_per_token']:.1f} ms a token",
    )
    axes.title.set_fontsize(10)
    axes.xaxis.set_major_locator(whole_numbers())
    axes.legend(loc="upper right")


def whole_numbers() -> Any:
    """Ticks where turns are."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True)


def recall(figure: Any, result: Document) -> None:
    """Time of one recall, and how much of the exact result it finds, against the store's size."""
    times, found = figure.subplots(1, 2, width_ratios=(2, 1))
    sizes = list(result["sizes"])
    for key, label, colour in (
        ("p99_ms", "99 of 100 recalls are quicker (p99)", COLOURS["paper"]),
        ("p50_ms", "median", OURS),
        ("cpu_p50_ms", "median, processor time only", COLOURS["spoken"]),
    ):
        rows = [result["sizes"][size][key] for size in sizes]
        times.plot(sizes, rows, marker="o", color=colour, label=label)
    times.axhline(20, **CONTRACT, label="contract: 20 ms (p99) at 100,000 memories")
    times.set(
        xscale="log", ylim=(0, None), xlabel="memories in the store",
        ylabel="milliseconds for one recall (lower is better)", title="Time",
    )  # fmt: skip
    times.legend()
    found.plot(
        sizes, [result["sizes"][size]["recall_at_10"] for size in sizes], marker="o", color=OURS
    )
    found.axhline(0.98, **CONTRACT, label="contract: 0.98")
    found.set(
        xscale="log", ylim=(0.9, 1.005), xlabel="memories in the store",
        ylabel="share of the 10 truly nearest that are found", title="Found",
    )  # fmt: skip
    found.legend(loc="lower left")
    for axes in (times, found):
        axes.xaxis.set_major_formatter("{x:,.0f}")
    largest = max(result["sizes"], key=int)
    figure.suptitle(
        f"Recall over {int(largest):,} memories, by words and meaning: "
        f"{result['sizes'][largest]['p50_ms']:.0f} ms, "
        f"{result['sizes'][largest]['p99_ms']:.0f} ms at worst (p99)"
    )


def preempt(figure: Any, result: Document) -> None:
    """How long each interruption waited for the model, and the first token after it."""
    free, first = figure.subplots(1, 2, width_ratios=(2, 1))
    each = result["each"]
    waits = sorted(zip(each["free_ms"], each["restore_ms"], strict=True), key=sum)
    stopped, restored = zip(*waits, strict=True)
    contract = result["contract"]
    numbers = range(1, len(waits) + 1)
    free.bar(numbers, stopped, color=OURS, label="the work has stopped")
    free.bar(numbers, restored, bottom=stopped, color=OTHER, label="the prompt's state is back")
    free.axhline(contract["ready_p99_ms"], **CONTRACT, label="contract: 100 ms at most")
    free.set(
        xlabel="interruptions, the quickest first", title="Until the model is free",
        ylabel="milliseconds until the model is free (lower is better)",
    )  # fmt: skip
    free.xaxis.set_major_locator(whole_numbers())
    free.legend(loc="upper left")
    bars = first.bar(
        ["idle", "just interrupted"], [result["idle_ttft_ms"], result["foreground_ttft_ms"]],
        color=(OTHER, OURS),
    )  # fmt: skip
    first.bar_label(bars, fmt="%.0f ms")
    first.axhline(result["idle_ttft_ms"] * contract["ratio"], **CONTRACT,
                  label="contract: 1.1 times idle")  # fmt: skip
    first.set(ylabel="milliseconds to the first token", title="First token after that")
    first.legend(loc="lower center")
    figure.suptitle(
        f"Speech interrupts consolidation {result['interruptions']} times: the model is free after "
        f"{result['ready_p50_ms']:.0f} ms (median), {result['ready_p99_ms']:.0f} ms (p99)"
    )


def start(figure: Any, result: Document) -> None:
    """From a process to listening, and from there to the first token."""
    axes = figure.subplots()
    arms = result["arms"]
    names = {"with_prefix": "with the stored prefix", "without_prefix": "without it"}
    listening = [arms[arm]["listening_ms"] / 1000 for arm in names]
    answering = [(arms[arm]["first_token_ms"] - arms[arm]["listening_ms"]) / 1000 for arm in names]
    axes.barh(list(names.values()), listening, color=OTHER, label="loading, until it listens")
    bars = axes.barh(
        list(names.values()), answering, left=listening, color=OURS,
        label="asked at once: until the first token",
    )  # fmt: skip
    axes.bar_label(
        bars, [f"  {arms[arm]['evaluated_tokens']:.0f} tokens read" for arm in names], padding=3
    )
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.set_xlabel("seconds from the start of the process (lower is better)")
    axes.legend(loc="upper right")
    figure.suptitle(
        f"A cold start, asked at once: first token {result['ratio']:.1f} times sooner with the "
        "stored beginning of the prompt"
    )
