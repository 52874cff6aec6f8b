"""What is still remembered in a year of weekend use (`companion eval forgetting`)."""

from __future__ import annotations

from typing import Any

from companion.evaluation.figures import mean

GROUPS = {
    "health, birthdays": ("health", "birthday"),
    "people, pets, home, tastes, fears, habits": tuple(
        "person pet home taste fear habit milestone".split()
    ),
    "events, plans with a day": ("event", "plan"),
    "moods, trifles": ("mood", "trivia"),
}
COLOURS = ("#b2182b", "#2166ac", "#e08214", "#999999")
TITLES = {
    "paper": "as published: 4.6 days for each use",
    "lifespan": "by what a memory is about",
}


def year(figure: Any, result: dict[str, Any]) -> None:
    """One panel a rule, one colour a group of kinds; dashed: what comes up again now and then."""
    panels = figure.subplots(1, len(TITLES), sharey=True)
    told = result["told"]
    for axes, (rule, title) in zip(panels, TITLES.items(), strict=True):
        for arm in (each for each in result["arms"] if each["rule"] == rule):
            days = [point["day"] for point in arm["curve"]]
            for (name, kinds), colour in zip(GROUPS.items(), COLOURS, strict=True):
                shares = [_share(point, kinds, told) for point in arm["curve"]]
                style = "--" if arm["comes_up"] else "-"
                label = None if arm["comes_up"] else name
                axes.step(days, shares, style, where="post", color=colour, label=label)
        axes.set(title=title, xlabel="days since it was told", ylim=(-3, 103))
    panels[0].set(ylabel="percent still remembered")
    panels[0].legend(loc="upper right", fontsize=8)
    figure.suptitle(
        "A year of weekend use: what is still remembered of what was told on the first day\n"
        "(solid: never comes up again; dashed: comes up on one weekend in five)",
        fontsize="medium",
    )


def _share(point: dict[str, Any], kinds: tuple[str, ...], told: dict[str, int]) -> float:
    """Percent of the things of these kinds."""
    things = [100 * point[kind] for kind in kinds if kind in told for _ in range(told[kind])]
    return mean(things)
