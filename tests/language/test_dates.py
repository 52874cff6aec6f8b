"""Where dates stand in sentences, and which days they mean."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.en.dates import days_told, in_statement, mentions, spoken, with_dates
from companion.language.types import parse_iso

WEDNESDAY = datetime(2026, 10, 7, 17, 30, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("sentence", "said", "event_time"),
    [
        ("My swimming test is tomorrow.", "2026-10-07", "2026-10-08"),
        ("Tomorrow is my swimming test", "2026-12-31", "2027-01-01"),
        ("I have a test this Wednesday.", "2026-10-04", "2026-10-07"),
        ("I have a test on Wednesday", "2026-10-08", "2026-10-14"),
        ("Our trip is next Friday.", "2026-10-05", "2026-10-16"),
        ("Our trip is next Friday.", "2026-10-10", "2026-10-16"),
        ("Grandma comes this coming Sunday", "2026-10-04", "2026-10-11"),
        ("It is on Tuesday week", "2026-10-05", "2026-10-13"),
        ("I went swimming on Monday", "2026-10-07", "2026-10-05"),
        ("This Wednesday I had a test", "2026-10-08", "2026-10-07"),
        ("Last Friday we ate pizza", "2026-10-09", "2026-10-02"),
        ("I'm excited for Saturday", "2026-10-07", "2026-10-10"),
        ("Last night I dreamt of a whale", "2026-03-01", "2026-02-28"),
        ("Last night I dreamt of a whale", "2028-03-01", "2028-02-29"),
        ("the day after tomorrow we fly", "2026-02-27", "2026-03-01"),
        ("The day before yesterday I fell", "2026-01-01", "2025-12-30"),
        ("This morning I drew a dragon", "2026-10-07", "2026-10-07"),
        ("Tomorrow evening there is a play", "2026-10-07", "2026-10-08"),
        ("We move house in two weeks", "2026-10-07", "2026-10-21"),
        ("We move house in a fortnight", "2026-10-07", "2026-10-21"),
        ("We move house in twelve days", "2026-10-07", "2026-10-19"),
        ("The field trip is two weeks from tomorrow", "2026-10-20", "2026-11-04"),
        ("It moved to a week from Sunday", "2026-10-15", "2026-10-25"),
        ("We go to the caves a week Tuesday", "2026-10-15", "2026-10-27"),
        ("I get braces tomorrow week", "2026-10-15", "2026-10-23"),
        ("The fair is the day before Halloween", "2026-10-15", "2026-10-30"),
        ("We fly three days after Christmas", "2026-12-01", "2026-12-28"),
        ("Two more sleeps and Nana comes", "2026-10-15", "2026-10-17"),
        ("It's four sleeps till my party", "2026-10-15", "2026-10-19"),
        ("This arvo we have swimming", "2026-10-15", "2026-10-15"),
        ("I lost a tooth 3 days ago", "2026-10-01", "2026-09-28"),
        ("A few days ago I saw a fox", "2026-10-07", "2026-09-30/2026-10-05"),
        ("I moved here two months ago", "2026-01-15", "2025-11-01/2025-11-30"),
        ("I learned it two years ago", "2028-02-29", "2026-01-01/2026-12-31"),
        ("In one month I turn nine", "2026-01-31", "2026-02-01/2026-02-28"),
        ("Last weekend I went to Yuntai Mountain", "2023-04-27", "2023-04-22/2023-04-23"),
        ("This weekend we go camping", "2026-10-07", "2026-10-10/2026-10-11"),
        ("This weekend we went camping", "2026-10-12", "2026-10-10/2026-10-11"),
        ("Next week we have no school", "2026-12-30", "2027-01-04/2027-01-10"),
        ("I was ill last month", "2026-01-31", "2025-12-01/2025-12-31"),
        ("They lost the key so it's Monday now", "2026-10-07", "2026-10-12"),
        ("We've got Marple on Saturday", "2026-10-07", "2026-10-10"),
        ("They moved it to Monday", "2026-10-07", "2026-10-12"),
        ("We go next week on Friday.", "2026-10-07", "2026-10-16"),
        ("We go on Friday next week", "2026-10-07", "2026-10-16"),
        ("It's tomorrow, that's Thursday", "2026-10-07", "2026-10-08"),
        ("My birthday is on May 4th", "2026-05-03", "2026-05-04"),
        ("My birthday is on May 4th", "2026-05-05", "2027-05-04"),
        ("My birthday is the 4th of May", "2026-05-04", "2026-05-04"),
        ("My birthday is Feb 29", "2026-05-04", "2028-02-29"),
        ("my birthday is on february 29th", "2096-03-01", "2104-02-29"),
        ("I was born on 3 June 2018", "2026-05-04", "2018-06-03"),
        ("I was born on June 3, 2018.", "2026-05-04", "2018-06-03"),
        ("The show is on the 15th.", "2026-10-20", "2026-11-15"),
        ("The show is on the 31st", "2026-11-02", "2026-12-31"),
        ("We went to Spain in May", "2026-03-01", "2025-05-01/2025-05-31"),
        ("We are going to Spain in May", "2026-06-01", "2027-05-01/2027-05-31"),
        ("I visited Rome last March", "2026-03-20", "2025-03-01/2025-03-31"),
        ("We were in Rome in March 2019", "2026-03-20", "2019-03-01/2019-03-31"),
        ("I started school in 2021", "2026-03-20", "2021-01-01/2021-12-31"),
        ("I got a bike for Christmas", "2026-01-03", "2025-12-25"),
        ("I will be a ghost on Halloween", "2026-01-03", "2026-10-31"),
        ("We stay up on New Year’s Eve", "2026-01-03", "2026-12-31"),
        ("It happened on 2026-02-28", "2026-03-20", "2026-02-28"),
    ],
)
def test_statement_means_these_days(sentence: str, said: str, event_time: str) -> None:
    moment = datetime.fromisoformat(f"{said}T17:30:00+00:00")
    assert [span.iso for span in in_statement(sentence, moment)] == [event_time]


@pytest.mark.parametrize(
    "sentence",
    [
        "May is my best friend and April is her sister.",
        "I may eat 5 cakes on the sun.",
        "may 4 friends come over?",
        "May 4 friends come over?",
        "we march 10 miles",
        "I can march 4 miles",
        "I go swimming every Wednesday",
        "On Wednesdays I swim",
        "I swim on Wednesday mornings",
        "I play every day and each weekend",
        "I live on the 4th floor",
        "She came in second",
        "I am 7 years old and have 2 days off",
        "I love Christmas songs",
        "My dog is called Friday's Child, like yesterday's news",
        "in April's room there is a cat",
        "the second of two",
        "I sat in the sun with mon ami",
        "Chapter 31 February",
        "I'm fine, thanks!",
    ],
)
def test_no_date_is_invented(sentence: str) -> None:
    assert in_statement(sentence, WEDNESDAY) == []


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("On May 4th, what did I eat?", "2026-05-04", "2026-05-04"),
        ("On May 6th, I read a book. What was its name?", "2026-05-06", "2026-05-06"),
        ("On December 1st, where was I?", "2025-12-01", "2025-12-01"),
        ("What did we talk about yesterday?", "2026-10-06", "2026-10-06"),
        ("What did I see last week?", "2026-09-28", "2026-10-04"),
        ("A few days ago, I mentioned a park.", "2026-09-30", "2026-10-05"),
        ("What did I buy a couple of days ago?", "2026-10-04", "2026-10-05"),
        ("What did I tell you the other day?", "2026-09-27", "2026-10-06"),
        ("Two weeks ago I had a cold, right?", "2026-09-20", "2026-09-26"),
        ("What did I do on Friday?", "2026-10-02", "2026-10-02"),
        ("Do I have anything on Friday?", "2026-10-09", "2026-10-09"),
        ("What will we do tomorrow?", "2026-10-08", "2026-10-08"),
        ("Who came to our first conversation?", "2026-01-05", "2026-01-05"),
        ("What did I say last time we talked?", "2026-10-01", "2026-10-01"),
    ],
)
def test_question_asks_about_these_days(question: str, first: str, last: str) -> None:
    talks = [date(2026, 1, 5), date(2026, 10, 1)]
    (span,) = mentions(question, WEDNESDAY, talks)
    assert (span.start.isoformat(), span.end.isoformat()) == (first, last)


def test_first_conversation_is_no_date_without_conversations() -> None:
    assert mentions("What did we say in our first conversation?", WEDNESDAY) == []


def test_two_dates_come_in_their_order() -> None:
    spans = mentions("Was it yesterday or on May 4th?", WEDNESDAY)
    assert [span.text for span in spans] == ["yesterday", "May 4th"]


def test_the_day_is_the_speakers_own_day() -> None:
    """Half past midnight in Berlin on the day the clocks go back is still Saturday in London."""
    moment = datetime(2026, 10, 25, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert in_statement("today I baked", moment)[0].start == date(2026, 10, 25)
    london = moment.astimezone(ZoneInfo("Europe/London"))
    assert in_statement("today I baked", london)[0].start == date(2026, 10, 24)


def test_a_day_is_a_calendar_day_across_a_change_of_clocks() -> None:
    moment = datetime(2026, 3, 28, 23, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert in_statement("tomorrow I bake", moment)[0].start == date(2026, 3, 29)


@pytest.mark.parametrize(
    ("event_time", "today", "words"),
    [
        ("2026-10-07", "2026-10-07", "today, Wednesday 7 October"),
        ("2026-10-07", "2026-10-08", "yesterday, Wednesday 7 October"),
        ("2026-10-07", "2026-10-06", "tomorrow, Wednesday 7 October"),
        ("2026-10-07", "2026-10-04", "in three days, Wednesday 7 October"),
        ("2026-10-07", "2026-09-16", "in three weeks, Wednesday 7 October"),
        ("2026-10-07", "2027-01-06", "three months ago, Wednesday 7 October 2026"),
        ("2018-06-03", "2026-10-07", "eight years ago, Sunday 3 June 2018"),
        ("2026-05-01/2026-05-31", "2026-10-07", "four months ago, May"),
        ("2025-01-01/2025-12-31", "2026-10-07", "nine months ago, 2025"),
        ("2026-10-10/2026-10-11", "2026-10-07", "in three days, 10 to 11 October"),
        ("2026-10-05/2026-10-11", "2026-10-07", "about now, 5 to 11 October"),
        ("2026-12-28/2027-01-03", "2026-12-21", "in seven days, 28 December to 3 January 2027"),
    ],
)
def test_event_time_is_said_relative_to_today(event_time: str, today: str, words: str) -> None:
    assert spoken(event_time, date.fromisoformat(today)) == words


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("The user has a test tomorrow.", "The user has a test on 8 October 2026."),
        ("The user has a test on Friday.", "The user has a test on 9 October 2026."),
        ("Yesterday the user fell.", "On 6 October 2026 the user fell."),
        (
            "The user went away last week.",
            "The user went away between 28 September and 4 October 2026.",
        ),
        ("The user was ill last month.", "The user was ill in September 2026."),
        ("The user likes May.", "The user likes May."),
        ("The user swims on Friday next week.", "The user swims on 16 October 2026."),
        ("The user swims tomorrow, Thursday.", "The user swims on 8 October 2026."),
        ("The user was born on the 3rd of May.", "The user was born on 3 May 2026."),
    ],
)
def test_relative_dates_are_written_out(statement: str, written: str) -> None:
    assert with_dates(statement, WEDNESDAY) == written


@given(st.text(max_size=200), st.dates(date(1971, 1, 1), date(2200, 1, 1)))
def test_any_text_is_read_without_harm(text: str, day: date) -> None:
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)
    for span in in_statement(text, moment) + mentions(text, moment):
        assert text[span.at :].startswith(span.text)
        assert parse_iso(span.iso) == (span.start, span.end)
        assert spoken(span.iso, day)


def test_a_written_date_is_found_again() -> None:
    for offset in range(-400, 400, 7):
        day = WEDNESDAY.date() + timedelta(days=offset)
        written = f"It is on {day.day} {day:%B} {day.year}."
        assert [span.start for span in in_statement(written, WEDNESDAY)] == [day]


def test_reading_a_long_message_is_fast() -> None:
    text = "On Monday we went to the park in May, and tomorrow I may go again. " * 15
    start = time.perf_counter()
    in_statement(text, WEDNESDAY)
    assert time.perf_counter() - start < 0.2


@pytest.mark.parametrize(
    ("said", "before", "days"),
    [
        ("we got eggs and on Friday they hatch", "", ["2026-10-09"]),
        ("his party's not this Saturday, it's the other Saturday", "", ["2026-10-17"]),
        ("the tutor isn't Monday now, she had to switch it, it's the Tuesday", "", ["2026-10-13"]),
        ("I've been six since November.", "", []),
        ("The red kite is somewhere. Gone since about Saturday.", "", []),
        ("My cousin sends a card at Christmas.", "", []),
        ("It's not even Friday!", "", []),
        ("The goat is called Otto. I asked her yesterday.", "", []),
        ("Yesterday we saw a goat.", "", ["2026-10-06"]),
        ("I promised him some in July.", "", ["2027-07-01/2027-07-31"]),
        ("Also Wednesday. At nine.", "In two weeks? Who with?", ["2026-10-21"]),
        ("the thirty of October, the Friday", "", ["2026-10-30"]),
        ("Kites tomorrow! And the poem is for Monday.", "", ["2026-10-08", "2026-10-12"]),
        ("The zoo is in two weeks, on Wednesday.", "", ["2026-10-21"]),
        ("Choir starts back. Two weeks tonight.", "", ["2026-10-21"]),
        ("They moved it. Tuesday the twentieth.", "", ["2026-10-20"]),
        ("It's the Friday, the twenty third, at noon.", "", ["2026-10-23"]),
        ("a rope broke so it's the Friday now, the twenty-third", "", ["2026-10-23"]),
        ("it's the Wednesday now, the 21st", "", ["2026-10-21"]),
        ("it's the Friday now, the first time ever", "", ["2026-10-09"]),
        ("not this Monday, the Monday after that one", "", ["2026-10-19"]),
        ("not this Friday and not next Friday, the one that's after", "", ["2026-10-23"]),
        ("First of March, fifty-two, I was born.", "", []),
        ("He's sports mad, he bust his arm in June with it.", "", []),
        ("In June we are going to fly.", "", ["2027-06-01/2027-06-30"]),
        ("Twelfth of December. No, hang on, it says here eighteenth.", "", []),
    ],
)
def test_the_days_that_words_are_about(said: str, before: str, days: list[str]) -> None:
    assert [each.iso for each in days_told(said, before, WEDNESDAY)] == days


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("not this Saturday, the one after", "2026-10-17"),
        ("the party is the Saturday after next", "2026-10-24"),
        ("two Saturdays from now", "2026-10-17"),
        ("we go the week after next", "2026-10-19/2026-10-25"),
        ("It was this Saturday. Now it's two weeks after that.", "2026-10-24"),
        ("Twelfth of December. No, hang on. Eighteenth.", "2026-12-18"),
        ("Gran comes on Wednesday", "2026-10-14"),
        ("It's Wednesday, hooray", "2026-10-07"),
    ],
)
def test_days_that_are_told_from_other_days(said: str, day: str) -> None:
    assert [each.iso for each in days_told(said, "", WEDNESDAY)] == [day]
