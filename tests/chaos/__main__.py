"""`python -m tests.chaos`: hurt a site for some minutes while people play, and reckon up.

`--url postgres://...` takes a server for a database of its own, else it is SQLite.  `--report` puts the figures into
docs/chaos.md.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from tests.chaos import faults
from tests.chaos.players import Log, Player, hands
from tests.chaos.site import DRAINED, ROOT, Site, fresh_database

PAGE = ROOT / "docs/chaos.md"
RESULTS = Path(__file__).parent / "results"


@dataclass
class Outcome:
    """What came of a run."""

    database: str
    tables: int
    minutes: float
    faults: dict[str, int]
    answers: dict[str, int]
    counts: dict[str, int]
    wrong: list[str]


@dataclass(frozen=True)
class Plan:
    """How much is played, and how the site is hurt."""

    minutes: float
    tables: int = 4
    phase: int = 1  # minutes that a phase lasts
    seed: int = 1
    only: str = ""


def run(plan: Plan, url: str = "") -> Outcome:
    """Play and hurt for so long; then let all come to rest, and reckon up."""
    with (
        tempfile.TemporaryDirectory(prefix="gamesmaster-chaos-") as folder,
        fresh_database(url) if url else nullcontext("") as database,
    ):
        site = Site(Path(folder) / "site", database, tables=plan.tables, minutes=plan.phase)
        site.begin()
        log, rest, stop = Log(), threading.Event(), threading.Event()
        players = [Player(site, who, log) for who in site.players]
        playing = hands(players, rest)
        threading.Thread(target=site.supervise, args=(stop,), daemon=True).start()
        try:
            _wait(players[0])
            for hand in playing:
                hand.start()
            befallen = _hurt(site, plan, players[0])
            site.heal()
            _wait(players[0])
            time.sleep(20)
            rest.set()
            for hand in playing:
                hand.join(120)
            site.run(DRAINED)
            _compare(players, log)
            _drain(site)
        finally:
            rest.set()
            stop.set()
            site.end()
        told = json.dumps({"log": log.lines, "mails": site.mail.got})
        wrong, counts = json.loads(
            site.run("import runpy; runpy.run_module('tests.chaos.ledger', run_name='__main__')", stdin=told)
        )
        wrong += site.wrong + _unexpected(site, log)
        answers = dict(sorted(log.answers.items()))
        database = "PostgreSQL" if url else "SQLite"
        return Outcome(database, plan.tables, plan.minutes, dict(befallen), answers, counts, wrong)


def _wait(player: Player) -> None:
    for _ in range(600):
        if player.call("GET", "") is not None:
            return
        time.sleep(0.5)
    raise RuntimeError("the site never answered")


def _hurt(site: Site, plan: Plan, player: Player) -> Counter[str]:
    """Let one fault follow the other; more often than not the site answers again in between."""
    found = {name: fault for name, fault in faults.of(site).items() if plan.only in name}
    befallen, lot = Counter[str](), random.Random(plan.seed)
    until, order = time.monotonic() + 60 * plan.minutes, list[str]()
    while time.monotonic() < until:
        if not order:  # every fault comes once, before any comes again
            order = sorted(found)
            lot.shuffle(order)
        name = order.pop()
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        found[name](site, lot)
        befallen[name] += 1
        if lot.random() < 0.7:
            _wait(player)
        time.sleep(lot.uniform(3, 8))
    return befallen


def _compare(players: list[Player], log: Log) -> None:
    """Ask once more for every result that was read."""
    by_key = {player.who["key"]: player for player in players}
    for table, ordinal in {(line["table"], line["ordinal"]) for line in log.lines if line["kind"] == "result"}:
        log.note("result", table=table, ordinal=ordinal, hash=by_key[table].result(ordinal))


def _drain(site: Site) -> None:
    """Let what waits be sent, without waiting for the next attempt's time, as long as it becomes less."""
    least, tries = sys.maxsize, 0
    while tries < 30 and (left := int(site.run(DRAINED))):
        least, tries = (left, 0) if left < least else (least, tries + 1)
        time.sleep(4)


def _unexpected(site: Site, log: Log) -> list[str]:
    """Answers and lines of the log that no fault excuses."""
    wrong = [f"{number} answers of status {status}" for status, number in log.answers.items() if status == "500"]
    for name, line in site.said():
        text = str(line.get("text"))
        if text in ("a phase failed", "a record cannot be read", "a job failed") or text.startswith("Internal Server"):
            wrong.append(f"{name}: {text} ({line.get('error')}, {line.get('raised')})")
    return wrong


def main(
    minutes: Annotated[float, typer.Option(help="How long it is hurt.")] = 5.0,
    url: Annotated[str, typer.Option(help="A PostgreSQL server; SQLite if left out.")] = "",
    tables: Annotated[int, typer.Option(help="Games, of two people each.")] = 4,
    phase: Annotated[int, typer.Option(help="Minutes that a phase lasts.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the lot that draws the faults.")] = 1,
    only: Annotated[str, typer.Option(help="Only faults whose name contains this.")] = "",
    report: Annotated[bool, typer.Option("--report", help="Put the figures into docs/chaos.md.")] = False,
) -> None:
    """Hurt a site while people play, and reckon up; exit code 1 if anything is wrong."""
    found = run(Plan(minutes, tables, phase, seed, only), url)
    print(json.dumps(asdict(found), indent=2))
    if report:
        RESULTS.mkdir(exist_ok=True)
        file = RESULTS / f"{found.database.casefold()}-{tables}.json"
        file.write_text(json.dumps(asdict(found), indent=2) + "\n", "utf-8")
        PAGE.write_text(page([json.loads(file.read_text("utf-8")) for file in sorted(RESULTS.glob("*.json"))]), "utf-8")
    raise typer.Exit(bool(found.wrong))


def page(found: list[dict[str, object]]) -> str:
    """The page of the figures."""
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for one in found:
        lines.append(f"\n## {one['database']}, {one['tables']} games, {one['minutes']:g} minutes\n")
        for title in ("faults", "answers", "counts"):
            rows = one[title]
            assert isinstance(rows, dict)
            lines += [
                f"| {HEADS[title]} | |",
                "| --- | --- |",
                *(f"| {name} | {value} |" for name, value in rows.items()),
                "",
            ]
        wrong = one["wrong"]
        assert isinstance(wrong, list)
        lines.append("Wrong: nothing." if not wrong else "Wrong:\n\n" + "\n".join(f"* {line}" for line in wrong))
    return "\n".join(lines) + "\n"


HEADS = {
    "faults": "what happened to the site",
    "answers": "answers that the players got",
    "counts": "compared afterwards",
}
MARK = "\n<!-- figures -->\n"
"""Above it stands what is written by hand."""

if __name__ == "__main__":
    typer.run(main)
