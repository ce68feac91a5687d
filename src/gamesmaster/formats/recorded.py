"""Recorded games of other programs: their phases in order, and the game that they make.

A game is adjudicated again, phase by phase.  Where the result is another one than that recorded, the record stands: the
game goes on from there, and says that the other program judged this phase.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from gamesmaster.board import Position, Unit
from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.formats.draft import AUTUMN
from gamesmaster.formats.form import PhaseData, RecordedGame
from gamesmaster.formats.phases import Bench, PhaseLine, facts, phase_of, placed
from gamesmaster.formats.saved_games import MOST_ORDERS
from gamesmaster.game import Game, renumbered
from gamesmaster.judge import idle, known_powers, read_unit
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Phase, Variant

OTHER_PROGRAM = "another program"
"""The judge of a phase whose recorded result is not ours, where its program is not known."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game from another program's file."""

    form: str
    source: str
    name: str
    game: Game
    differences: Mapping[str, tuple[str, ...]]  # by phase: where the record differs, with the rules
    remarks: tuple[str, ...] = ()  # what was not carried over


def phase_lines(
    game: RecordedGame, bench: Bench, rulebook: Rulebook | None = None, where: str = "", *, last: bool = False
) -> Iterator[PhaseLine]:
    """Yield the phases of a recorded game, ready to be adjudicated; with `last` also the one under way.

    Dislodged units without a list of retreats get those of the phase before.  Units of powers that nobody plays are
    those of the variant's standing armies.  Raises what `phase_of` raises.
    """
    board = ""
    before: PhaseLine | None = None
    rules = rulebook or Rulebook.of(dict(game.rulebook))
    phases = [*game.phases, *([game.last] if last and game.last else ())]
    told = sum(len(own) for data in phases for key in ("units", "orders") for own in (data.get(key) or {}).values())
    if told > MOST_ORDERS:
        raise BadFile(f"more than {MOST_ORDERS:,} units and orders in all phases", where=where)
    for data in phases:
        board = board or _board(game, phases, bench, rules, where)
        place = ", ".join(filter(None, (where, str(data.get("phase", "")))))
        with placed(place):
            data = _adapted({**data, "map": board, "game": game.name}, bench.variant(board))
        known = before.following(before.next_phase)[1] if before else None
        before = phase_of(data, bench, rulebook=rules, where=place, before=known)
        yield before


def _adapted(data: PhaseData, variant: Variant) -> PhaseData:
    """Return the data of a phase in the variant's words: its autumn, and its standing armies for unknown powers."""
    seasons = {slot.season.casefold() for slot in variant.calendar.slots}
    season, _, rest = str(data.get("phase", "")).partition(" ")
    if season.casefold() in AUTUMN and (named := seasons.intersection(AUTUMN)):
        data = {**data, "phase": f"{min(named).capitalize()} {rest}"}
    standing = {unit.power for unit in variant.start.units} - {power.name for power in variant.powers}
    known = {word.casefold() for p in variant.powers for word in (p.name, p.adjective, *p.also)}
    changed: PhaseData = dict(data)
    if data.get("next"):
        changed["next"] = _adapted(data["next"], variant)
    if not standing:
        return changed
    for key in ("units", "dislodged", "centers", "orders"):
        if data.get(key):
            own = {power: given for power, given in data[key].items() if power.casefold() in known}
            others = [one for power, given in data[key].items() if power not in own for one in given]
            changed[key] = own | ({min(standing): others} if key in ("units", "dislodged") else {})
    return changed


def _board(game: RecordedGame, phases: list[PhaseData], bench: Bench, rulebook: Rulebook, where: str) -> str:
    """Return the first name of a board that is known and has the places of all phases, or else of another such board.

    A game that names one board, which is not known, has no other.
    """
    faults: dict[str, GamesmasterError] = {}
    units = dict.fromkeys(str(unit) for data in phases for own in (data.get("units") or {}).values() for unit in own)
    for name in chain(game.boards, bench.others(game.boards) if units else ()):
        try:
            bench.variant(name)
        except GamesmasterError as fault:
            faults[name] = fault
            if len(game.boards) == 1:
                break
            continue
        try:
            _check_places(phases, units, name, bench, rulebook)
        except GamesmasterError as fault:
            faults[name] = fault
        else:
            return name
    if len(game.boards) == 1:
        return game.boards[0]
    said = "; ".join(f"{name}: {faults[name].what}" for name in game.boards)
    raise BadFile(f"no known board has its places ({said})", where=where, hint="--boards names their folder")


def _check_places(phases: list[PhaseData], units: Iterable[str], name: str, bench: Bench, rulebook: Rulebook) -> None:
    """Raise a `GamesmasterError` unless a variant has all phases and places of units of a game, and its first phase."""
    variant, rules = bench.variant(name), bench.rules(name, rulebook)
    for data in phases[:1]:
        phase_of(_adapted({**data, "map": name}, variant), bench, rulebook=rulebook)
    for data in phases:
        variant.calendar.read(_adapted({"phase": data.get("phase", "")}, variant)["phase"])
    for unit in units:
        read_unit(unit, "", 1, rules)


def recorded_game(phases: Iterable[PhaseLine], program: str = OTHER_PROGRAM) -> Game:
    """Return the game of these phases, adjudicated again from their orders.

    If the adjudication and the next recorded position differ, the game goes on from the recorded one, and `program`
    is named as the judge.  A last phase without a next one is under way.  The seed of the game comes from its name:
    the same phases give the same record.  Raises `BadFile` without any phase, or if they are of more than one game.
    """
    game: Game | None = None
    name = ""
    last: PhaseLine | None = None
    for phase in phases:
        if game is None:
            name, seed = phase.game, hashlib.sha256(phase.game.encode()).digest()
            game = Game.start(phase.variant, seed=seed, rulebook=phase.rules.rulebook)
        elif phase.game != name or phase.variant is not game.variant:
            raise BadFile(f"more than one game: {name!r} and {phase.game!r}", hint="a record holds one")
        if last:
            game = _after(game, last)
        game, last = _given(game, phase, program), phase
    if game is None or last is None:
        raise BadFile("no game of another program to write as a record")
    if last.recorded is None:
        return game
    game = _after(game, last)
    following = last.next_phase or game.phase
    position = last.next_position(following)
    ended = following == game.phase and facts(position) == facts(game.position)
    return game if ended else _moved(game, following, position, program)


def _given(game: Game, phase: PhaseLine, program: str) -> Game:
    """Return the game at the beginning of this phase, with its orders.

    A phase in which nobody has anything to do is passed over (STD-3.a).
    """
    if phase.phase != game.phase and idle(phase.rules, phase.phase.kind, phase.position):
        return game
    game = _moved(game, phase.phase, phase.position, program)
    orders = known_powers(phase.rules, phase.orders)
    lines = {power: tuple(" ".join(str(text).split()) for text in texts) for power, texts in orders.items()}
    lines = {power: tuple(filter(None, texts)) for power, texts in lines.items()}
    return replace(game, orders={power: texts for power, texts in lines.items() if texts})


def _after(game: Game, phase: PhaseLine) -> Game:
    """Return the game after this phase; one that was passed over changes nothing."""
    return game.process() if game.phase == phase.phase and not game.outcome else game


def _moved(game: Game, phase: Phase, position: Position, program: str) -> Game:
    """Return the game at this phase and position; if it had another one, `program` is the judge of the last phase."""
    if (phase, facts(position)) == (game.phase, facts(game.position)) and not game.outcome:
        return game
    judge, records = game.judge, game.records
    if records:
        records = (*records[:-1], replace(records[-1], judge=program))
    else:
        judge = program
    position = renumbered(position, game.position, 1 + max((u.number for u in _units(game)), default=0))
    return replace(game, phase=phase, position=position, judge=judge, records=records, outcome=None)


def _units(game: Game) -> Iterator[Unit]:
    for position in (game.position, *(record.position for record in game.records)):
        yield from (*position.units, *(d.unit for d in position.dislodged))
