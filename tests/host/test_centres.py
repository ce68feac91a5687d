"""The centres of each power by year: a chart and a table on the page of every game in which a phase is over."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.phases.endgame import APART, HEIGHT, _badges, chart
from gamesmaster.host.tables import access
from tests.host.test_table_page import client_of, text

pytestmark = pytest.mark.django_db


def a_year() -> Table:
    """A sandbox in the spring of its second year; Russia and France have taken a centre each."""
    table = hosting.sandbox("standard")
    sent = {0: {"Russia": ["F Sev - Rum"], "France": ["A Mar - Spa"]}, 1: {}, 2: {}}
    for ordinal, by_power in sent.items():
        for power, lines in by_power.items():
            submission.submit(table, power, lines, Submission(ordinal), user=None)
        assert processing.ask(table, ordinal, None) is processing.Done.PROCESSED
    table.refresh_from_db()
    return table


def test_the_chart_tells_what_the_positions_do() -> None:
    """Lines begin with the opening and end with now, the best power first; equal ones lie side by side, not far."""
    table = a_year()
    found = chart(access.look(table.key, None))
    assert found
    told = {line.power: line.centres for line in found.lines}
    assert (told["Russia"], told["France"], told["Italy"]) == ((4, 5), (3, 4), (3, 3))
    assert [line.last for line in found.lines] == sorted((line.last for line in found.lines), reverse=True)
    assert [mark.text for mark in found.below] == ["start", "1901"]
    assert len({line.points for line in found.lines}) == len(found.lines) == 7
    by_height = {mark.text: float(mark.at) for mark in found.heights}
    for line in found.lines:
        assert abs(float(line.points.split(",")[-1]) - by_height[str(line.last)]) <= 3 * APART
    assert float(found.lines[0].end_y) == by_height["5"]


@pytest.mark.parametrize("ends", [[10.0] * 9, [250.0] * 9, [12.0, 13.0, 100.0, 101.0, 240.0], [5.0] * 34, [50.0]])
def test_no_badge_lies_upon_another(ends: list[float]) -> None:
    """However the lines end, the badges stand apart, in their order, within the picture."""
    found = _badges(ends)
    room = min(21.0, (HEIGHT - 4) / len(ends))
    assert len(found) == len(ends)
    assert all(below - above > room - 0.01 for above, below in pairwise(found))
    assert found[0] > room / 2
    assert found[-1] < HEIGHT - room / 2


def test_the_chart_is_on_the_page() -> None:
    """A picture that is named for those who cannot see it, and a table with the same numbers; nothing at the start."""
    table, client = a_year(), client_of()
    page = text(client, f"/t/{table.key}/")
    assert re.search(r'<svg class="course"[^>]* role="img" aria-label="Centres of each power by year: Russia 5,', page)
    row = re.search(r'<th scope="row">Russia</th>((?:<td class="num">\d+</td>)+)', page)
    assert row
    assert re.findall(r"\d+", row[1]) == ["4", "5"]
    fresh = hosting.sandbox("standard")
    assert "Centres by year" not in text(client, f"/t/{fresh.key}/")
