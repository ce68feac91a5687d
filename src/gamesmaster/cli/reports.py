"""The results of a game's phases: `report`, and `explain`, which gives the reasons."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import GameFile, find_power, find_province, open_game
from gamesmaster.cli.console import AsJson, say, say_json, table
from gamesmaster.errors import NotFound, nearest

if TYPE_CHECKING:
    from gamesmaster.game import Game, Record
    from gamesmaster.rules import Ruling


def report(
    file: GameFile,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="A phase that is over; the last one by default.")] = "",
    every: Annotated[bool, typer.Option("--all", help="The whole game, from its beginning.")] = False,
    scoring: Annotated[
        str, typer.Option(metavar="SYSTEM", help="The scores of a finished game instead, by this scoring system.")
    ] = "",
    power: Annotated[
        str, typer.Option(metavar="POWER", help="The report for a power, in a variant that limits what powers see.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Print the report of a phase, as a Gamesmaster posts it: every order with its result and the reason.

    It contains no secrets: orders of the phase being played are not in it.

    For example:

      gamesmaster report winter.json
      gamesmaster report winter.json --phase S1901M
      gamesmaster report winter.json --all
      gamesmaster report fog.json --power France
      gamesmaster report winter.json --scoring sum-of-squares
    """
    from gamesmaster.game import seen_by

    if scoring and (phase or every):
        raise typer.BadParameter("scores are those of the whole game, without --phase or --all", param_hint="--scoring")
    if scoring:
        _say_scores(open_game(file), scoring, as_json=as_json)
        return
    if phase and every:
        raise typer.BadParameter("a phase, or all of them", param_hint="--phase")
    game = open_game(file)
    shown = seen_by(game, (game.variant.power(power).name,)) if power else game
    say_report(shown, phase, every=every, as_json=as_json)


def _say_scores(game: Game, system: str, *, as_json: bool) -> None:
    from gamesmaster.game import scores

    found = sorted(scores(game, system).items(), key=lambda one: -one[1])
    if as_json:
        say_json({"system": system, "scores": {power: float(points) for power, points in found}})
    else:
        table(("power", system), [(power, f"{float(points):,.2f}") for power, points in found])


def say_report(game: Game, phase: str, *, every: bool = False, as_json: bool = False) -> None:
    """Print the report of a phase, of the last one that is over if none is named, or of all of them."""
    from gamesmaster.game import history
    from gamesmaster.game import report as report_text

    if not as_json:
        say((history(game) if every else report_text(game, phase)).rstrip())
    elif every:
        say_json([_phase_data(game, number) for number in range(len(game.records))])
    else:
        say_json(_phase_data(game, _number_of(game, phase)))


def _number_of(game: Game, phase: str) -> int:
    """Return the number of a phase that is over, the last one if none is named; raises `NotFound` with the nearest."""
    codes = [record.phase.code for record in game.records]
    if not codes:
        raise NotFound("no phase is over yet", hint="process the first one")
    wanted = game.variant.calendar.read(phase).code if phase else codes[-1]
    if wanted not in codes:
        raise NotFound(f"{wanted} is not over, or was not played", hint=nearest(wanted, codes))
    return codes.index(wanted)


def _phase_data(game: Game, number: int) -> dict[str, Any]:
    """Return a phase that is over, by its number, with its rulings and the position that follows."""
    from gamesmaster.formats import ruling_data
    from gamesmaster.game import as_left, ending_text, happenings, position_data

    record = game.records[number]
    judged = game.adjudication(record)
    following: Record | Game = game.records[number + 1] if number + 1 < len(game.records) else game
    after = as_left(following)
    return {
        "phase": record.phase.code,
        **position_data(record.position),
        "orders": [ruling_data(ruling) for ruling in judged.rulings if ruling.given],
        "events": [asdict(one) for one in happenings(game.variant, record, judged)],
        "next": {"phase": after.phase.code, **position_data(after.position)},
        "outcome": ending_text(game) if game.outcome and following is game else None,
    }


# -- `explain` -------------------------------------------------------------------------------------------------------


def explain(
    file: GameFile,
    what: Annotated[str, typer.Argument(metavar="[WHAT]", help="An order, a unit or a power; all by default.")] = "",
    phase: Annotated[str, typer.Option(metavar="PHASE", help="A phase that is over; the last one by default.")] = "",
    failed: Annotated[
        bool,
        typer.Option(
            "--failed", help="Only orders that did not succeed; without a phase, in the last phase that has any."
        ),
    ] = False,
    limit: Annotated[int, typer.Option(metavar="N", help="The most orders to show; 0 for all.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Say why orders came out as they did: the reason, the strengths, and the rule in its own words.

    For example:

      gamesmaster explain winter.json "A Par - Bur"
      gamesmaster explain winter.json "F Bre"
      gamesmaster explain winter.json france --phase S1901M
      gamesmaster explain winter.json --failed --limit 1
    """
    from gamesmaster.formats import ruling_data

    game = open_game(file)
    records = game.records[: _number_of(game, phase) + 1]
    if phase or not failed:
        records = records[-1:]
    for record in reversed(records):
        rulings = _choose(game, record, what, failed=failed)[: limit or None]
        if rulings:
            break

    def explained(ruling: Ruling) -> dict[str, object]:
        unit = str(ruling.unit) if ruling.unit else None
        return {"unit": unit, "rule": _clause_words(game, ruling.clause), **ruling_data(ruling)}

    if as_json:
        say_json({"phase": record.phase.code, "orders": [explained(ruling) for ruling in rulings]})
        return
    say(f"{game.variant.calendar.name(record.phase)} ({record.phase.code})")
    for ruling in rulings:
        say("\n".join(explanation(game, ruling)))
    if not rulings:
        say("Nothing failed." if failed else "Nothing was ordered.")


def _choose(game: Game, record: Record, what: str, *, failed: bool) -> list[Ruling]:
    """Return the rulings of a phase on a power's orders, on an order or on a unit; all, or only those on failures."""
    from gamesmaster.rules import Result

    rulings = game.adjudication(record).rulings
    if what and (power := find_power(game, what)):
        rulings = tuple(r for r in rulings if r.power == power)
    elif what:
        province = find_province(game, what)
        rulings = tuple(r for r in rulings if province in _places(r))
        if not rulings and not failed:
            name = game.variant.board.province(province).name
            raise NotFound(f"nothing was ordered for {name} in {record.phase.code}, and no unit was there")
    if not failed:
        return list(rulings)
    return [r for r in rulings if r.given and r.result not in (Result.SUCCEEDS, Result.HOLDS)]


def _places(ruling: Ruling) -> set[str]:
    """Return the place of the unit ruled on, and the place that the order gives for it."""
    at = (ruling.unit and ruling.unit.at, ruling.order and ruling.order.at)
    return {location.province for location in at if location}


def explanation(game: Game, ruling: Ruling) -> list[str]:
    """Return the explanation of one order.

    It has the power, the order, its result, the reason, and the text of the clause.
    """
    given = ruling.given or (ruling.name(ruling.unit) if ruling.unit else "")
    lines = ["", f"{ruling.power}: {given}", f"  {ruling.result}: it {ruling.text}"]
    words = _clause_words(game, ruling.clause)
    cited = f"{ruling.clause}: {words}" if words else ruling.clause
    return [*lines, *wrap(cited, 100, initial_indent="  ", subsequent_indent="    ")]


def _clause_words(game: Game, clause: str) -> str:
    from gamesmaster.variant import clause_words

    return clause_words(game.variant, game.rulebook, clause)
