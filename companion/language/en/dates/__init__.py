"""Dates in plain English: where they stand in a sentence, which days they mean, how to say them.

Small models cannot turn "this Wednesday" into a date (paper appendix C.2), so code does, with
the time at which the words were said as base. Only unmistakable expressions are recognised: a
missed date costs little, an invented one is a false memory ("may", "sun" and "on" are words
first). Decision 4 says why no library does it, with measurements.

Everything is in the local calendar of the time that is passed in.
"""

from companion.language.en.dates.moment import moment, since
from companion.language.en.dates.reading import in_statement, mentions
from companion.language.en.dates.telling import days_told
from companion.language.en.dates.writing import (
    as_past,
    day_and_distance,
    spelled_day,
    spoken,
    told_when,
    when,
    with_dates,
)

__all__ = [
    "as_past",
    "day_and_distance",
    "days_told",
    "in_statement",
    "mentions",
    "moment",
    "since",
    "spelled_day",
    "spoken",
    "told_when",
    "when",
    "with_dates",
]
