"""The stored result of each game of an experiment: a line of numbers and names, the source of all reports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gamesmaster import strictjson
from gamesmaster.english import many
from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.game import Event, EventKind, Game, Record, attacks
from gamesmaster.lab.experiment import Experiment
from gamesmaster.orders import PhaseKind
from gamesmaster.players import Match
from gamesmaster.rules import Ruling
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LARGEST = 256 * 1024  # bytes of a line: 100 powers over 50 turns take less
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in brief."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    number: int  # in the experiment
    seed: str  # in hexadecimal
    seats: dict[str, str]  # who played which power
    ending: str  # `victory`, `draw` or `concession`, "" if it was broken off
    winners: tuple[str, ...]  # those that share the victory
    phase: str
    phases: int  # the number played
    turns: int  # the turns of the calendar played
    start: tuple[int, ...]  # how many centres each power had at first, in the variant's order
    centres: dict[int, tuple[int, ...]]  # the same for each year in which the owners were counted
    alive: tuple[str, ...]  # the powers that still took part at the end
    out: dict[str, int]  # the years in which others fell out
    openings: dict[str, str]  # each power's orders for the first movement
    attacks: tuple[tuple[str, str, int, int, int], ...]  # by two powers: attacks, units dislodged, centres
    still: int  # counts at the end without any centre changing hands
    stillest: int  # the most such counts in a row
    lapses: int  # the questions that players left unanswered
    silent: dict[str, tuple[int, str]] = field(default_factory=dict)  # how many each power's player did, and why first

    @property
    def final(self) -> tuple[int, ...]:
        """Return the number of centres of each power at the last count."""
        return self.centres[max(self.centres)] if self.centres else self.start

    def line(self) -> bytes:
        """Return the summary as a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":")).encode() + b"\n"


def read_summary(line: bytes, powers: Sequence[str], where: str) -> GameSummary:
    """Return the game in a line; raise `BadFile` if the line does not fit these powers."""
    from pydantic import ValidationError

    data = strictjson.loads(line, limit=LARGEST, depth=DEEPEST, where=where)
    try:
        found = _reader().validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadFile(first["msg"], where=f"{where}, {strictjson.path_text(first['loc'])}") from None
    named = {*found.seats, *found.winners, *found.alive, *found.out, *found.openings, *found.silent}
    named.update(x[0] for x in found.attacks)
    if named - set(powers) or {x[1] for x in found.attacks} - {*powers, ""}:
        raise BadFile("it names a power that the variant does not have", where=where)
    if any(len(counts) != len(powers) for counts in (found.start, *found.centres.values())):
        raise BadFile(f"there must be a number of centres for each of the {len(powers)} powers", where=where)
    return found


@cache
def _reader() -> TypeAdapter[GameSummary]:
    from pydantic import TypeAdapter

    return TypeAdapter(GameSummary)


@dataclass(frozen=True, slots=True)
class Lapses:
    """A player who left questions without an answer: how many, in how many games, and why in the first of them."""

    player: str
    questions: int
    games: int
    why: str

    def __str__(self) -> str:
        questions, games = (
            f"{count:,} {what}{'s' * (count != 1)}"
            for count, what in ((self.questions, "question"), (self.games, "game"))
        )
        return f"{self.player} left {questions} unanswered in {games}, and its power sent no orders then: {self.why}"


def lapses_of(games: Sequence[GameSummary]) -> tuple[Lapses, ...]:
    """Return the players who left questions without an answer in these games, by name."""
    found: dict[str, Lapses] = {}
    for game in games:
        for player in sorted({game.seats[power] for power in game.silent}):
            mine = [game.silent[power] for power in game.silent if game.seats[power] == player]
            before = found.get(player, Lapses(player, 0, 0, mine[0][1]))
            asked = before.questions + sum(count for count, _ in mine)
            found[player] = replace(before, questions=asked, games=before.games + 1)
    return tuple(found[player] for player in sorted(found))


def summary_of(experiment: Experiment, number: int, match: Match) -> GameSummary:
    """Return a played game of an experiment in brief."""
    game, outcome = match.game, match.game.outcome
    still, stillest = _stillness(match)
    return GameSummary(
        number=number,
        seed=game.seed.hex(),
        seats=experiment.seats(number),
        ending=outcome.termination.value if outcome else "",
        winners=outcome.winners if outcome else (),
        phase=game.records[-1].phase.code if game.records else "",
        phases=len(game.records),
        turns=1 + game.variant.calendar.turn(game.records[-1].phase) if game.records else 0,
        start=_start(game.variant),
        centres={year: tuple(counts.values()) for year, counts in match.years.items()},
        alive=game.survivors,
        out={e.power: record.phase.year for record, e in _events(game, EventKind.ELIMINATED)},
        openings=_openings(game),
        attacks=tuple((a, b, s, d, c) for (a, b), (s, d, c) in sorted(_attacks(game).items())),
        still=still,
        stillest=stillest,
        lapses=len(match.lapses),
        silent=_silent(match),
    )


def _silent(match: Match) -> dict[str, tuple[int, str]]:
    """Map each power to the number of questions its player left unanswered, and to the reason for the first one."""
    counts = Counter(lapse.power for lapse in match.lapses)
    first = {lapse.power: str(lapse.why) for lapse in reversed(match.lapses)}
    return {power: (counts[power], first[power]) for power in sorted(counts)}


MOST_SPANS = 20
"""Runs of missing games that a warning names; of the others only their number."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The games that a report lacks of the `asked` ones from 0 on.

    `spans` are the first and the last number of each run of them.
    """

    asked: int
    spans: tuple[tuple[int, int], ...]

    @property
    def games(self) -> int:
        """The number of missing games."""
        return sum(last - first + 1 for first, last in self.spans)

    def __str__(self) -> str:
        """Return the warning at the beginning of a report."""
        named = [f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in self.spans]
        if len(named) > MOST_SPANS:
            named = [*named[:MOST_SPANS], "and more"]
        of, number = many(self.asked, "game"), "number" if self.games == 1 else "numbers"
        return (
            f"{self.games:,} of {of} {'is' if self.games == 1 else 'are'} missing ({number} {', '.join(named)}). All"
            " numbers below are biased: games that fail or are not finished differ from the others."
        )


def missing_of(numbers: Collection[int], asked: int = 0) -> Missing | None:
    """Return the games missing of the first `asked`, or of all up to the last one present; None if all are there."""
    whole, spans, following = max(asked, 1 + max(numbers, default=-1)), list[tuple[int, int]](), 0
    for number in (*sorted(numbers), whole):
        if number > following:
            spans.append((following, number - 1))
        following = number + 1
    return Missing(whole, tuple(spans)) if spans else None


def with_warning(data: dict[str, Any], missing: Missing | None) -> dict[str, Any]:
    """Return the data of a report with the warning first, or without one if no game is missing."""
    rest = {name: value for name, value in data.items() if name != "missing"}
    return {"warning": str(missing), "missing": data["missing"], **rest} if missing else rest


def _start(variant: Variant) -> tuple[int, ...]:
    counts = Counter(variant.start.owners.get(centre) for centre in variant.board.centres)
    return tuple(counts[power.name] for power in variant.powers)


def _events(game: Game, kind: EventKind) -> Iterator[tuple[Record, Event]]:
    return ((record, event) for record in game.records for event in record.events if event.kind is kind)


def _stillness(match: Match) -> tuple[int, int]:
    """Return how many counts at the end, and at most in a row, passed without a centre changing hands."""
    changed = {record.phase.year for record, _ in _events(match.game, EventKind.TAKES)}
    run = most = 0
    for year in match.years:
        run = 0 if year in changed else run + 1
        most = max(most, run)
    return run, most


# -- orders ----------------------------------------------------------------------------------------------------------


def _movements(game: Game) -> Iterator[tuple[Record, Sequence[Ruling]]]:
    """Yield the movement phases and what became of their orders, adjudicated again: the record keeps results only."""
    for record in game.records:
        if record.phase.kind is PhaseKind.MOVEMENT:
            yield record, game.adjudication(record).rulings


def _openings(game: Game) -> dict[str, str]:
    """Return each power's orders for the first movement, as the notation prints them, in the order of the alphabet."""
    _, rulings = next(_movements(game), (None, ()))
    orders: dict[str, list[str]] = {}
    for ruling in rulings:
        if ruling.order is not None and ruling.given:
            orders.setdefault(ruling.power, []).append(game.rules.notation.write(ruling.order))
    return {power: "; ".join(sorted(orders[power])) for power in game.rules.powers if power in orders}


def _attacks(game: Game) -> dict[tuple[str, str], list[int]]:
    """Return the supported attacks, dislodgements and captures of centres, by pair of powers."""
    known = set(game.rules.powers)
    counts: dict[tuple[str, str], list[int]] = {}

    def note(who: str, whom: str, what: int) -> None:
        if who in known and who != whom and (whom in known or what == _CAPTURED):
            counts.setdefault((who, whom if whom in known else ""), [0, 0, 0])[what] += 1

    for record, rulings in _movements(game):
        for one in attacks(record.position, rulings):
            if one.supported:
                note(one.who, one.whom, _SUPPORTED)
        beaten = {r.unit.number: (r.dislodged_by.power, r.unit.power) for r in rulings if r.unit and r.dislodged_by}
        for who, whom in beaten.values():
            note(who, whom, _DISLODGED)
    for record in game.records:
        for event in record.events:
            if event.kind is EventKind.TAKES:
                note(event.power, event.of, _CAPTURED)
    return counts


_SUPPORTED, _DISLODGED, _CAPTURED = range(3)


RECORDED = "recorded"
"""The player of every power in a recorded game."""


def read_recorded(*files: Path) -> tuple[Experiment, list[GameSummary]]:
    """Return the games in files of other programs, each adjudicated again, in the order of the files.

    The experiment has no seed or length of its own: nothing can be played on.  Raises what `formats.import_games`
    raises, and `GamesmasterError` for games of more than one variant.
    """
    from gamesmaster.formats import import_games

    games = [imported.game for imported in import_games(*files)]
    variants = {game.variant.id: game.variant for game in games}
    if len(variants) != 1:
        raise GamesmasterError(
            f"games of {', '.join(sorted(variants)) or 'no variant'}, not of one", hint="give each variant its own file"
        )
    (variant,) = variants.values()
    seats = {power.name: RECORDED for power in variant.powers}
    experiment = Experiment(variant=variant.id, digest=variant.digest, fixed=seats, seed=0)
    return experiment, [summary_of(experiment, number, Match(game)) for number, game in enumerate(games)]
