"""`explain`: why an order came out as it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import GameFile, open_game
from gamesmaster.cli.console import AsJson, say, say_json

if TYPE_CHECKING:
    from gamesmaster.game import Game, Record
    from gamesmaster.judge import Ruling


def explain(
    file: GameFile,
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="An order, a unit or a power; all by default.", show_default=False)
    ] = "",
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
    from gamesmaster.cli.game_data import number_of
    from gamesmaster.formats.phases import ruling_data

    game = open_game(file)
    records = game.records[: number_of(game, phase) + 1]
    if phase or not failed:
        records = records[-1:]
    for record in reversed(records):
        rulings = _chosen(game, record, what, failed=failed)[: limit or None]
        if rulings:
            break
    if as_json:
        say_json({"phase": record.phase.code, "orders": [_named(game, r) | ruling_data(r) for r in rulings]})
        return
    say(f"{game.variant.calendar.name(record.phase)} ({record.phase.code})")
    for ruling in rulings:
        say("\n".join(told(game, ruling)))
    if not rulings:
        say("Nothing failed." if failed else "Nothing was ordered.")


def _chosen(game: Game, record: Record, what: str, *, failed: bool) -> list[Ruling]:
    """The rulings of a phase on a power's orders, on an order or on a unit; all, or only those on failures."""
    from gamesmaster.cli.arguments import power_named, province_named
    from gamesmaster.errors import NotFound

    rulings = game.adjudication(record).rulings
    if what and (power := power_named(game, what)):
        rulings = tuple(r for r in rulings if r.power == power)
    elif what:
        province = province_named(game, what)
        rulings = tuple(r for r in rulings if province in _places(r))
        if not rulings and not failed:
            name = game.variant.board.province(province).name
            raise NotFound(f"nothing was ordered for {name} in {record.phase.code}, and no unit was there")
    return [ruling for ruling in rulings if not failed or _failed(ruling)]


def _places(ruling: Ruling) -> set[str]:
    """Where the unit ruled on stood, and where the order took it to stand."""
    at = (ruling.unit and ruling.unit.at, ruling.order and ruling.order.at)
    return {location.province for location in at if location}


def _failed(ruling: Ruling) -> bool:
    from gamesmaster.judge import Result

    return bool(ruling.given) and ruling.result not in (Result.SUCCEEDS, Result.HOLDS)


def _named(game: Game, ruling: Ruling) -> dict[str, object]:
    return {"unit": f"{ruling.unit}" if ruling.unit else None, "rule": _clause_words(game, ruling.clause)}


def told(game: Game, ruling: Ruling) -> list[str]:
    """What is said of one order: whose and which, what became of it and why, and the clause in its own words."""
    from textwrap import wrap

    given = ruling.given or (ruling.name(ruling.unit) if ruling.unit else "")
    lines = ["", f"{ruling.power}: {given}", f"  {ruling.result}: it {ruling.text}"]
    words = _clause_words(game, ruling.clause)
    cited = f"{ruling.clause}: {words}" if words else ruling.clause
    return [*lines, *wrap(cited, 100, initial_indent="  ", subsequent_indent="    ")]


def _clause_words(game: Game, clause: str) -> str:
    from gamesmaster.variant.rules_text import clause_words

    return clause_words(game.variant, game.rulebook, clause)
