"""The site under load, small: what `bench.load` measures at full size, and one outage of a site of real programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench import probes
from bench.filling import fill

pytest.importorskip("aiosmtpd", reason="the site is not installed")
ROOT = Path(__file__).parents[2]
FEW, MANY = 20, 300


@pytest.mark.django_db
def test_nothing_costs_more_with_many_games() -> None:
    """With 300 games a page needs as many statements as with 20, and so do an idle worker and a full board."""
    places, statements = fill(range(FEW), 1, 70), [probes.statements_of(lambda: probes.idle(20, tries=1))]
    pages = probes.queries(places[0])
    places += fill(range(FEW, MANY), 1, 70)
    statements.append(probes.statements_of(lambda: probes.idle(20, tries=1)))
    assert probes.queries(places[0]) == pages
    assert statements[0] == statements[1]
    boards = []
    for number in (10, 1_000):
        probes.letters(places[0], number)
        boards.append(probes.queries(places[0], ["/t/{key}/", "/t/{key}/press/"]))
    assert boards[0] == boards[1]


@pytest.mark.django_db(transaction=True)
def test_giving_back_time_takes_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements are by batches and not by games, and no transaction moves more than a batch."""
    monkeypatch.setattr("gamesmaster.host.phases.outages.BATCH", 100)
    fill(range(MANY), 1, 70)
    counts = []
    number = probes.statements_of(lambda: counts.append(probes.give_back().moved))
    assert counts == [MANY]
    assert number < MANY / 2


@pytest.mark.long  # by itself it keeps two processors busy for minutes; steps of giving back are above
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_outage_under_load() -> None:
    """300 games, 100 streams, two workers: time is given back once, no phase is lost, nobody is told twice."""
    asked = [sys.executable, "-m", "bench.load", "--no-costs", "--no-keep", "--games", "300", "--streams", "100"]
    done = subprocess.run(
        [*asked, "--servers", "1", "--length", "1", "--away", "21", "--looks", "0"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
