from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.games.standbys import Missing
from gamesmaster.host.site.zones import zone_hint, zones
from gamesmaster.host.tables.settings import Absent, Deadlines, Pace, TableSettings, WallClock
from gamesmaster.orders import PhaseKind

MOVES = PhaseKind.MOVEMENT


ZONES = ["Europe/Berlin", "Australia/Lord_Howe", "America/New_York"]


def on_wall(clock: str, zone: str, **more: object) -> TableSettings:
    """Settings with a deadline at this time of day."""
    pace = Pace(wall=WallClock(zone=zone, times=(clock,)))
    return TableSettings(deadlines=Deadlines(movement=pace, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("now", "due"),
    [
        # Berlin, spring: the clock goes from 02:00 to 03:00; 02:30 is not shown, and counts as 03:30
        ("2027-03-27T12:00", "2027-03-28T01:30"),
        # autumn: 02:30 is shown twice; the first counts, once
        ("2027-10-30T12:00", "2027-10-31T00:30"),
        ("2027-10-31T00:31", "2027-11-01T01:30"),
    ],
)
def test_daylight_saving(now: str, due: str) -> None:
    """A deadline at 02:30 exists once on the days on which the clocks are changed (B2)."""
    found = deadlines.next_due(
        on_wall("02:30", "Europe/Berlin"), MOVES, datetime.fromisoformat(now).replace(tzinfo=UTC)
    )
    assert found is not None
    assert found.at == datetime.fromisoformat(due).replace(tzinfo=UTC)
    assert found.wall.endswith("02:30 Europe/Berlin")


def test_days_off() -> None:
    """No deadline falls on a day off: it moves to the same time of the next day that is none."""
    friday = datetime(2027, 1, 8, 12, tzinfo=UTC)
    weekend = (5, 6)
    by_length = TableSettings(deadlines=Deadlines(movement=Pace(minutes=1440), days_off=weekend))
    by_wall = on_wall("10:00", "UTC", days_off=weekend, dates_off=(date(2027, 1, 11),))
    assert [d.at.isoformat() for s in (by_length, by_wall) if (d := deadlines.next_due(s, MOVES, friday))] == [
        "2027-01-11T12:00:00+00:00",
        "2027-01-12T10:00:00+00:00",
    ]


@given(st.integers(-(10**12), 10**12))
def test_lengths_have_bounds(minutes: int) -> None:
    """A phase lasts from a minute to a year; nothing else is accepted (B4)."""
    good = 1 <= minutes <= 366 * 24 * 60
    try:
        Pace(minutes=minutes)
    except ValidationError:
        assert not good
    else:
        assert good


def test_unknown_zones_are_refused() -> None:
    """A zone that nobody knows is refused, and the nearest is named (B2)."""
    with pytest.raises(ValidationError, match="Europe/Berlin"):
        WallClock(zone="Europe/Berlinn")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("GMT+1", "Etc/GMT-1, or a city such as Europe/Berlin"),
        ("gmt + 01:00", "Etc/GMT-1, or a city such as Europe/Berlin"),
        ("UTC-5", "Etc/GMT+5, or a city such as America/New_York"),
        ("+5:30", "a city such as Asia/Kolkata"),
        ("UTC+0", "Etc/GMT, or a city such as Europe/London"),
        ("GMT-13", "a city such as Europe/Berlin"),
        ("Europe/Berlinn", "did you mean Europe/Berlin?"),
    ],
)
def test_hours_from_greenwich(name: str, hint: str) -> None:
    """Hours from Greenwich are no zone: the hint names the one that has them all year, and a city with summer time."""
    assert zone_hint(name) == hint
    with pytest.raises(ValidationError, match=re.escape(hint)):
        WallClock(zone=name)


@pytest.mark.parametrize("hours", range(-14, 15))
def test_zones_that_are_hinted_at(hours: int) -> None:
    """Every zone named in a hint is one, and has the hours that were asked for when there is no summer time."""
    names = re.findall(r"[A-Z]\w+/[\w+-]+", zone_hint(f"GMT{hours:+d}"))
    assert set(names) <= zones()
    for name in names if names != ["Europe/Berlin"] else []:
        offsets = {datetime(2027, month, 1, tzinfo=ZoneInfo(name)).utcoffset() for month in (1, 7)}
        assert timedelta(hours=hours) == min(offset for offset in offsets if offset is not None)


@given(st.datetimes(datetime(2024, 1, 1), datetime(2035, 1, 1)), st.sampled_from(ZONES))
def test_a_deadline_lies_ahead(moment: datetime, zone: str) -> None:
    """A deadline by the clock is at least `least` minutes away, and no more than a day and a bit."""
    now = moment.replace(tzinfo=UTC)
    found = deadlines.next_due(on_wall("02:30", zone), MOVES, now)
    assert found is not None
    assert timedelta(minutes=60) <= found.at - now <= timedelta(hours=28)


NOW = datetime(2027, 1, 4, 12, tzinfo=UTC)
POLICY = Absent(grace=120, most_away=3, misses=2)


@pytest.mark.parametrize(
    ("cases", "hours"),
    [
        ([], None),
        ([Missing("France", "sitting")], 2),
        ([Missing("France", "standby-wanted")], None),
        ([Missing("France", "sitting", NOW + timedelta(days=1)), Missing("Italy", "sitting")], 24),
        ([Missing("France", "away", NOW + timedelta(days=90))], 72),
    ],
)
def test_waiting(cases: list[Missing], hours: int | None) -> None:
    """The table waits for those who are held to come, until the grace or the absence (within bounds) ends."""
    until = standbys.wait_until(POLICY, cases, NOW)
    assert until == (None if hours is None else NOW + timedelta(hours=hours))


@given(st.lists(st.booleans(), max_size=12))
def test_states_of_absence(seasons: list[bool]) -> None:
    """Whoever misses twice in a row wants a standby; orders bring back; disorder is reached only over the search."""
    state, misses, run = "sitting", 0, 0
    for sent in seasons:
        if not sent:
            state = standbys.before_processing(state)
        state, misses = standbys.after_moves(POLICY, state, misses, sent=sent)
        if state == "disorder":
            assert run >= 2
            break
        run = 0 if sent else run + 1
        assert state == ("standby-wanted" if run >= 2 else "sitting")
