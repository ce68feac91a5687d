"""Reports, as a Gamesmaster publishes them: a phase, or a whole game, as plain text no wider than `WIDTH`.

The reasons are the rulings' own words; nothing is worked out here that the judge has not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from textwrap import wrap

from gamesmaster.board import Location, Position, Unit, place_name, unit_and_power, unit_name
from gamesmaster.english import many
from gamesmaster.errors import NotFound, must_be, nearest
from gamesmaster.game.correction import told_corrections
from gamesmaster.game.course import Game
from gamesmaster.game.judging import Posted
from gamesmaster.game.progress import Ledger, ledger_of
from gamesmaster.game.reasons import event_reason, idle_builds
from gamesmaster.game.record import Stage, as_left
from gamesmaster.game.scoring import ending_text
from gamesmaster.judge import Adjudication
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Cause, Result, Ruling, WinterMechanic
from gamesmaster.variant import Variant, house_rule_settings

WIDTH = 100
LONGEST_ORDER = 96  # characters shown of an order; only nonsense is longer
NO_BREAK = "\N{NO-BREAK SPACE}"
WIDEST_COLUMN = 40  # characters of the orders' column

_PLAIN = {Cause.CAME, Cause.GIVEN, Cause.AVAILABLE, Cause.RETREATED, Cause.DISBANDED, Cause.BUILT, Cause.REMOVED}
"""Why an order succeeded, where that goes without saying."""


def report(game: Game, phase: str = "") -> str:
    """Return the report of a phase that is over, by default the last one, followed by what is due next.

    If no phase is over yet, it describes the beginning of the game.  It contains no secrets: no orders before they
    are processed, and the seed only when the game is over.  Raises `NotFound` if no such phase is over.
    """
    must_be(Game, game, "a Game")
    codes = [record.phase.code for record in game.records]
    wanted = game.variant.calendar.read(phase).code if phase else "".join(codes[-1:])
    if phase and wanted not in codes:
        raise NotFound(f"{wanted} is not over, or was not played", hint=nearest(wanted, codes))
    lines = list(_results(game, codes.index(wanted)) if codes else _beginning(game))
    return _text([*lines, *_next(game)] if wanted == "".join(codes[-1:]) else lines)


def history(game: Game) -> str:
    """Return the whole game: its beginning, the results of every phase, and what is due next or how it ended."""
    must_be(Game, game, "a Game")
    results = [line for number in range(len(game.records)) for line in _results(game, number)]
    return _text([*_beginning(game), *results, *_next(game)])


def preview_report(game: Game, judged: Adjudication) -> str:
    """Return the results that the present phase would have, as a report for a Gamesmaster who looks ahead."""
    lines = list(_title(f"Preview of {game.variant.calendar.name(game.phase)} ({game.phase.code})"))
    lines += _order_rows(game, judged.rulings, {})
    lines += _dislodgements(game, judged.position)
    events = [event_reason(game.variant, game.phase, event) for event in judged.happened]
    lines += [line for event in events for line in _wrap("  ", f"{event.text} [{event.clause}]")]
    return _text(lines if judged.rulings or events else [*lines, "Nothing would happen."])


def unit_lists(variant: Variant, position: Position) -> dict[str, list[str]]:
    """Return the units of each power that has any, as people see them, and last those that belong to nobody."""
    board, powers = variant.board, [power.name for power in variant.powers]
    others = sorted({unit.power for unit in position.units} - {*powers})

    def place(unit: Unit) -> tuple[int, str]:
        province = unit.at.province
        return (board.index[province], "") if board.numbered else (0, board.province(province).name)

    found = {
        power: [unit_name(board, unit) for unit in sorted(position.of(power), key=place) if not unit.aboard]
        for power in (*powers, *others)
    }
    return {power: units for power, units in found.items() if units}


# -- the parts: lines, ending with an empty one ----------------------------------------------------------------------


def _beginning(game: Game) -> Iterator[str]:
    variant = game.variant
    yield from _title(f"{variant.name}: the beginning")
    units = unit_lists(variant, variant.start)
    for name in dict.fromkeys((*(power.name for power in variant.powers), *units)):
        yield from _wrap_list(f"{name}: ", units.get(name, ["no units"]))
        if name in game.players:
            yield from _wrap("  played by ", game.players[name])
    choices = ", ".join(f"{name.replace('_', ' ')}: {answer}" for name, answer in game.rulebook.choices().items())
    yield ""
    yield from _wrap("Rulebook: ", choices or "the readings preferred by the DATC")
    yield from _wrap("House rules: ", str(game.house_rules))
    for name in game.house_rules.choices():
        yield from _wrap("  ", f"{house_rule_settings()[name].question} {game.house_rules.sentence(name)}")
    yield f"SHA-256 of the seed: {game.dice.commitment}"
    yield ""


def _results(game: Game, number: int) -> Iterator[str]:
    record = game.records[number]
    after = as_left(game.records[number + 1] if number + 1 < len(game.records) else game)
    judged, calendar = game.adjudication(record), game.variant.calendar
    yield from _title(f"{game.variant.name}: {calendar.name(record.phase)} ({record.phase.code})")
    yield from _corrections(game.variant, record)
    if isinstance(judged, Posted):
        yield "The posted results stand, although this program would judge the phase differently."
        yield ""
    silent = dict.fromkeys(game.missing(record), " (no orders received)")
    yield from _order_rows(game, judged.rulings, {**silent, **dict.fromkeys(record.disorder, " (civil disorder)")})
    yield from _dislodgements(game, judged.position)
    phase, counted, wintered, begun = record.phase, False, False, set[str]()
    while phase != after.phase:
        counted = counted or calendar.counts(phase)
        wintered = wintered or phase.kind is PhaseKind.ADJUSTMENTS
        phase = calendar.next(phase)
        begun.add(phase.code)
    thrown = [throw for throw in game.throws if throw.phase in begun]
    events = [event_reason(game.variant, record.phase, event) for event in record.events]
    if record.phase.kind is PhaseKind.ADJUSTMENTS:
        events += idle_builds(game.rules, record.position, judged)
    if events or thrown:
        yield "Events"
        for throw in thrown:
            fallen = f"{throw.fell + 1} of {throw.sides}"
            yield from _wrap("  ", f"A die for {throw.subject} in {throw.phase}: {fallen} [{throw.clause}]")
        for event in events:
            yield from _wrap("  ", f"{event.text} [{event.clause}]")
        yield ""
    ledger = ledger_of(game.variant, game.rules, after.phase, after.position)
    if counted or (record.phase.kind is PhaseKind.ADJUSTMENTS and game.rules.hooks(WinterMechanic.supply)):
        yield from _holdings(game, ledger, after.position)
    if wintered:
        yield "Units"
        for power, units in unit_lists(game.variant, after.position).items():
            yield from _wrap_list(f"  {power}: ", units)
        yield ""
    yield from _ledger_sections(ledger)


def _corrections(variant: Variant, stage: Stage) -> Iterator[str]:
    """Yield what the Gamesmaster corrected before a phase was played."""
    for one in told_corrections(variant, stage):
        yield from _wrap("", f"The Gamesmaster corrected the board: {one.why}")
        for change in one.changes:
            yield from _wrap("  ", change)
        yield ""


def _order_rows(game: Game, rulings: tuple[Ruling, ...], notes: Mapping[str, str]) -> Iterator[str]:
    """Yield the results by power; `notes` are added to the names of powers."""
    rows = [(ruling.power, _wording(game, ruling), _result(ruling)) for ruling in rulings]
    width = max((len(order) for _, order, _ in rows if len(order) <= WIDEST_COLUMN), default=0)
    for name in (power.name for power in game.variant.powers):
        own = [(order, result) for power, order, result in rows if power == name]
        if own:
            yield f"{name}{notes.get(name, '')}"
            for order, result in own:
                if len(order) > width:  # too long for a column: its result stands below it
                    yield f"  {order}"
                    yield from _wrap("      ", result)
                else:
                    yield from _wrap(f"  {order:{width}}  ", result)
            yield ""


def _dislodgements(game: Game, position: Position) -> Iterator[str]:
    if position.dislodged:
        yield "Dislodged"
        for out in position.dislodged:
            attacked = f", attacked from {_place(game, Location(out.by))}," if out.by else ""
            places = " or ".join(_place(game, at) for at in out.retreats)
            fate = f"may retreat to {places}" if places else "has nowhere to retreat"
            unit = unit_and_power(game.variant.board, out.unit)
            yield from _wrap("  ", f"{unit}{attacked} {fate}")
        yield ""


def _holdings(game: Game, ledger: Ledger, position: Position) -> Iterator[str]:
    """Yield the lines on each power's centres and units; a strength is that of the season at hand (CNW-N3)."""
    strong = any(holding.strength is not None for holding in ledger.holdings)
    yield f"Supply centres, and strength in {ledger.name}" if strong else "Supply centres"
    board = game.variant.board
    for holding in (holding for holding in ledger.holdings if holding.centres or holding.units):
        owned = [place_name(board, Location(place)) for place in position.centres(holding.power)]
        words = [many(holding.units, "unit"), many(holding.centres, "centre")]
        words[1:1] = [] if holding.strength is None else [f"strength {holding.strength}"]
        places = f": {(', ' if board.numbered else ' ').join(owned)}" if owned else ""
        yield from _wrap(f"  {holding.power}: ", f"{', '.join(words)}{places}")
    yield ""


def _ledger_sections(ledger: Ledger) -> Iterator[str]:
    """Yield the ledger's sections: things besides units and centres, such as deferred builds and terms."""
    for heading, lines in ledger.sections.items():
        yield heading
        for line in lines:
            yield from _wrap("  ", line)
        yield ""


def _next(game: Game) -> Iterator[str]:
    if game.outcome:
        yield from _wrap(f"The game is over ({game.outcome.phase}): ", ending_text(game))
        yield from _wrap("Seed: ", game.seed.hex())
        return
    yield from _corrections(game.variant, game)
    yield f"Due for {game.variant.calendar.name(game.phase)} ({game.phase.code})"
    for status in game.status:
        if status.is_due:
            due = "civil disorder, no orders expected" if status.disorder else status.text
            yield from _wrap(f"  {status.power}: ", due)
    yield from _votes(game)


def _votes(game: Game) -> Iterator[str]:
    """Yield the votes, as far as house rules publish them (CLN-H.j)."""
    if game.house_rules.votes == "secret" or not game.votes:
        return
    yield from ("", "Votes")
    for winners in dict.fromkeys(game.votes.values()):
        agreed = [power for power in game.voters(winners) if game.votes.get(power) == winners]
        named = f"{', '.join(agreed)}; " if game.house_rules.votes == "open" else ""
        goal = f"victory of {winners[0]}" if len(winners) == 1 else f"draw of {', '.join(winners)}"
        yield from _wrap("  ", f"For a {goal}: {named}{len(agreed)} of {len(game.voters(winners))}.")


# -- words -----------------------------------------------------------------------------------------------------------


def _wording(game: Game, ruling: Ruling) -> str:
    """Return the order as the notation writes it, for the unit that was meant; as it was given if it made no order."""
    order, unit = ruling.order, ruling.unit
    if order is None:
        words = f'"{ruling.given}"' if ruling.given or not unit else ruling.name(unit)
    elif unit and order.at and unit.at.province == order.at.province:
        words = game.rules.notation.tell(replace(order, kind=unit.kind, at=unit.at, power=""))
    else:
        words = game.rules.notation.tell(order)
    return words if len(words) <= LONGEST_ORDER else f"{words[: LONGEST_ORDER - 3]}..."


def _result(ruling: Ruling) -> str:
    if ruling.result is Result.HOLDS:
        return ruling.text
    if ruling.cause in _PLAIN:
        unasked = "" if ruling.given else ", because no order was given"
        return f"{ruling.result}{unasked}{'; dislodged' if ruling.dislodged else ''}"
    return f"{ruling.result}: {ruling.text} [{ruling.clause}]"


def _place(game: Game, at: Location) -> str:
    return place_name(game.variant.board, at)


# -- layout ----------------------------------------------------------------------------------------------------------


def _title(words: str) -> Iterator[str]:
    yield from (words, "=" * len(words), "")


def _wrap(head: str, words: str) -> list[str]:
    return wrap(words, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _wrap_list(head: str, names: Iterable[str]) -> list[str]:
    """Return names as a list, wrapped only after commas."""
    words = ", ".join(name.replace(" ", NO_BREAK) for name in names)
    return [line.replace(NO_BREAK, " ") for line in _wrap(head, words)]


def _text(lines: list[str]) -> str:
    """Return lines as a text that is safe to print: players' words may contain control characters."""
    shown = ("".join(c if c.isprintable() else "\ufffd" for c in line).rstrip() for line in lines)
    return "\n".join(shown).rstrip() + "\n"
