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
from tests.chaos.players import Log, Player
from tests.chaos.site import DRAINED, ROOT, Site, fresh_database

PAGE = ROOT / "docs/chaos.md"
RESULTS = Path(__file__).parent / "results"


@dataclass
class Outcome:
    """What came of a run."""

    database: str
    minutes: float
    faults: dict[str, int]
    answers: dict[str, int]
    counts: dict[str, int]
    wrong: list[str]


def run(minutes: float, url: str = "", *, tables: int = 4, seed: int = 1, only: str = "") -> Outcome:
    """Play and hurt for so long; then let all come to rest, and reckon up."""
    with (
        tempfile.TemporaryDirectory(prefix="gamesmaster-chaos-") as folder,
        fresh_database(url) if url else nullcontext("") as database,
    ):
        site = Site(Path(folder) / "site", database, tables=tables)
        site.begin()
        log, rest, stop = Log(), threading.Event(), threading.Event()
        players = [Player(site, who, log, rest) for who in site.players]
        threading.Thread(target=site.supervise, args=(stop,), daemon=True).start()
        try:
            _wait(players[0])
            for player in players:
                player.start()
            befallen = _hurt(site, minutes, random.Random(seed), only)
            site.heal()
            _wait(players[0])
            time.sleep(20)
            rest.set()
            for player in players:
                player.join(120)
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
        return Outcome("PostgreSQL" if url else "SQLite", minutes, dict(befallen), answers, counts, wrong)


def _wait(player: Player) -> None:
    for _ in range(600):
        if player.call("GET", "") is not None:
            return
        time.sleep(0.5)
    raise RuntimeError("the site never answered")


def _hurt(site: Site, minutes: float, lot: random.Random, only: str) -> Counter[str]:
    found = {name: fault for name, fault in faults.of(site).items() if only in name}
    befallen: Counter[str] = Counter()
    until, order = time.monotonic() + 60 * minutes, list[str]()
    while time.monotonic() < until:
        if not order:  # every fault comes once, before any comes again
            order = sorted(found)
            lot.shuffle(order)
        name = order.pop()
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        found[name](site, lot)
        befallen[name] += 1
        time.sleep(lot.uniform(3, 8))
    return befallen


def _compare(players: list[Player], log: Log) -> None:
    """Ask once more for every result that was read."""
    by_key = {player.who["key"]: player for player in players}
    for table, ordinal in {(line["table"], line["ordinal"]) for line in log.lines if line["kind"] == "result"}:
        log.note("result", table=table, ordinal=ordinal, hash=by_key[table].result(ordinal))


def _drain(site: Site) -> None:
    """Let what waits be sent, without waiting for the next attempt's time."""
    for _ in range(60):
        if int(site.run(DRAINED)) == 0:
            return
        time.sleep(4)


def _unexpected(site: Site, log: Log) -> list[str]:
    """Answers and lines of the log that no fault excuses."""
    wrong = [f"{number} answers of status {status}" for status, number in log.answers.items() if status == "500"]
    for name, line in site.said():
        if line.get("text") in ("a phase failed", "a record cannot be read", "a job failed"):
            wrong.append(f"{name}: {line['text']} ({line.get('error')}, {line.get('raised')})")
    return wrong


def main(
    minutes: Annotated[float, typer.Option(help="How long it is hurt.")] = 5.0,
    url: Annotated[str, typer.Option(help="A PostgreSQL server; SQLite if left out.")] = "",
    tables: Annotated[int, typer.Option(help="Games, of two people each.")] = 4,
    seed: Annotated[int, typer.Option(help="Of the lot that draws the faults.")] = 1,
    only: Annotated[str, typer.Option(help="Only faults whose name contains this.")] = "",
    report: Annotated[bool, typer.Option("--report", help="Put the figures into docs/chaos.md.")] = False,
) -> None:
    """Hurt a site while people play, and reckon up; exit code 1 if anything is wrong."""
    found = run(minutes, url, tables=tables, seed=seed, only=only)
    print(json.dumps(asdict(found), indent=2))
    if report:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{found.database.casefold()}.json").write_text(json.dumps(asdict(found), indent=2) + "\n", "utf-8")
        PAGE.write_text(page([json.loads(file.read_text("utf-8")) for file in sorted(RESULTS.glob("*.json"))]), "utf-8")
    raise typer.Exit(bool(found.wrong))


def page(found: list[dict[str, object]]) -> str:
    """The page of the figures."""
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for one in found:
        lines.append(f"\n## {one['database']}, {one['minutes']:g} minutes\n")
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
