"""Results as njudge and DPjudge mail them, and as jDip reports them: orders with notes on their results, no positions.

    Movement results for Fall of 1901.  (crane.002)
    Austria: Army  Vienna -> Galicia.  (*bounce, dislodged*)
    The Austrian army in Vienna can retreat to Bohemia or Tyrolia.
    The next phase of 'crane' will be Retreats for Fall of 1901.

A movement names every unit.  What else a phase begins with follows from the phases before it: several mails of a game
belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice

from gamesmaster.errors import BadFile
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.saved_games import MOST_ORDERS, MOST_PHASES, OF_THEIR_TIME

_HEAD = re.compile(
    r"(?P<kind>Movement|Retreat|Adjustment) (?:results|orders) for (?P<season>\w{1,20}) of (?P<year>\d{1,5})\."
    r"\s*(?:\((?P<game>[\w-]{1,40})\.(?P<number>\d{1,6})\))?"
)
_JDIP = re.compile(r"Results for (?P<season>\w{1,20}), (?P<year>\d{1,5}) \((?P<kind>Movement|Retreat|Adjustment)\)")
_VARIANT = re.compile(r":: Judge:.*\bVariant:\s*([\w-]{1,40})")
_ORDER = re.compile(r"([A-Z][\w .'-]{0,40}):\s+(\S.*)")
_NOTES = re.compile(r"\(\*([^*)]{1,80})\*\)")
_UNIT = re.compile(r"(Army|Fleet|[AF])\s+(.+?)(?:\s+(?:-|(?:SUPPORT|CONVOY|HOLD|Holds?|[SCH])\b).*)?")
_RETREATS = re.compile(r"The \S+ (army|fleet) in (?:the )?(.+?) (?:can retreat to (.+)|with no valid retreats .*)\.")
_NEXT = re.compile(r"The next phase of '[^']*' will be (\w+) for (\w+) of (\d+)\.")
_WRAPPED = re.compile(r"[A-Z][\w .'-]{0,40}: (?:Army|Fleet) |The \S+ (?:army|fleet) in ")
_LONGEST = 1_000  # characters of a line
_FAILED = frozenset(["bounce", "void", "no convoy"])
_BEATEN = frozenset(["dislodged", "disloged", "destroyed"])
_WINTER = re.compile(r"Builds? waived|Builds an? |Removes the ", re.IGNORECASE)


@dataclass(slots=True)
class _Report:
    """A phase as a mail reports it."""

    season: str
    year: str
    kind: str
    game: str
    number: int
    variant: str
    orders: dict[str, list[str]] = field(default_factory=dict)
    units: dict[str, list[str]] = field(default_factory=dict)
    after: dict[str, list[str]] = field(default_factory=dict)
    beaten: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    retreats: dict[str, list[str]] = field(default_factory=dict)
    following: str = ""

    def data(self) -> PhaseData:
        """Return the data of the phase line."""
        for entries in self.beaten.values():
            for entry in entries:
                place = str(entry["unit"]).partition(" ")[2].casefold()
                entry |= {"retreats": self.retreats[place]} if place in self.retreats else {}
        data: PhaseData = {"phase": f"{self.season} {self.year} {self.kind}", "orders": self.orders}
        after: PhaseData = {"phase": self.following or OVER}
        if self.kind == "Movement":
            data["units"] = self.units
            after |= {"units": self.after, "dislodged": self.beaten}
        return data | {"next": after}


def _head(line: str) -> re.Match[str] | None:
    return _HEAD.match(line) or _JDIP.match(line)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without marks of quotation, and with what a judge or a mailer wrapped."""
    held = ""
    for line in re.sub(r"(?m)^(?:> ?)+", "", text).splitlines():
        plain = " ".join(line.split())
        wrapped = _WRAPPED.match(held) and (not held.endswith((".", ")")) or plain.startswith("(*"))
        if wrapped and plain and line[0].isspace() and len(held) < _LONGEST:
            held += f" {plain}"
        else:
            yield held
            held = plain
    yield held


def _games(source: Source) -> Iterator[RecordedGame]:
    reports = list(islice(_reports(source), MOST_PHASES + 1))
    if len(reports) > MOST_PHASES:
        raise BadFile(f"more than {MOST_PHASES:,} phases", where=source.where)
    reports.sort(key=lambda report: (report.game, report.number))
    for game, own in groupby(reports, key=lambda report: report.game):
        phases = list(own)
        boards = tuple(dict.fromkeys((phases[0].variant, "standard")))
        lost = ("not carried over: what the mails say beside the results",)
        yield RecordedGame(game, boards, [phase.data() for phase in phases], OF_THEIR_TIME, lost=lost)


def _reports(source: Source) -> Iterator[_Report]:
    """Yield the phases in a text, as they come."""
    report: _Report | None = None
    variant, told = "standard", 0
    for text in _lines(source.text):
        if found := _VARIANT.match(text):
            variant = found[1]
        elif found := _head(text):
            if report:
                yield report
            said = found.groupdict()
            number = int(said.get("number") or 0)
            report = _Report(said["season"], said["year"], said["kind"], said.get("game") or "game", number, variant)
        elif report:
            told += _take(report, text[:_LONGEST])
            if told > MOST_ORDERS:
                raise BadFile(f"more than {MOST_ORDERS:,} orders", where=source.where)
    if report:
        yield report


def _take(report: _Report, text: str) -> int:
    """Take in a line of a report, and return how many orders it has."""
    if found := _RETREATS.match(text):
        places = re.split(r",? or |, ", found[3]) if found[3] else []
        report.retreats[found[2].casefold()] = [place.removeprefix("the ") for place in places]
    elif found := _NEXT.match(text):
        report.following = f"{found[2]} {found[3]} {found[1]}"
    elif found := _ORDER.fullmatch(text):
        parts = found[2].split(";")
        for part in parts:
            _add(report, found[1], part)
        return len(parts)
    return 0


def _add(report: _Report, power: str, part: str) -> None:
    """Add an order, and what its notes say of the unit."""
    notes = {note.strip() for found in _NOTES.findall(part) for note in found.split(",")}
    text = re.sub(r",? No Order Processed", " HOLD", _NOTES.sub("", part), flags=re.IGNORECASE).strip().rstrip(".")
    if report.kind == "Adjustment":
        if _WINTER.match(text):
            report.orders.setdefault(power, []).append("Waive" if "waived" in text else text)
        return
    found = _UNIT.fullmatch(text)
    if not found:
        return
    kind, at, order = found[1][0], found[2], text[found.end(2) :].strip()
    report.orders.setdefault(power, []).append(text if order else f"{text} HOLD")
    report.units.setdefault(power, []).append(f"{kind} {at}")
    if report.kind != "Movement":
        return
    if notes & _BEATEN:
        report.beaten.setdefault(power, []).append({"unit": f"{kind} {at}"})
        return
    moved = order.startswith("-") and notes.isdisjoint(_FAILED)
    goal = re.split(r"->", order.lstrip("->"))[-1].strip() if moved else at
    report.after.setdefault(power, []).append(f"{kind} {goal}")


FORM = Form(
    id="judge-mail",
    name="result mails of njudge and DPjudge, reports of jDip",
    files="text, mails, or a folder of them",
    carried="orders and their results, phase by phase",
    derived="positions, from the units of a movement and from the phases before",
    lost="press, deadlines, tables of centres",
    fits=lambda source: source.mark not in (b"{", b"[", b"<") and any(map(_head, _lines(source.text))),
    games=_games,
    joined=True,
)
