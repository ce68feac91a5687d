"""`order`: a power's orders come in, and it is said how they were understood; `legal`: what may be ordered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import GameFile, change_game, find_power, find_province, grouped, open_game
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json
from gamesmaster.errors import NotFound
from gamesmaster.files import decode

if TYPE_CHECKING:
    from gamesmaster.game import Game
    from gamesmaster.judge import LegalOrders
    from gamesmaster.orders import Order
    from gamesmaster.reading import OrderSheet


@dataclass(frozen=True, slots=True)
class EntryOptions:
    """How orders are entered."""

    phase: Annotated[str, typer.Option(metavar="PHASE", help="Refuse them unless this is the current phase.")] = ""
    amend: Annotated[
        bool | None, typer.Option("--amend/--replace", help="Keep earlier orders of other units, or drop them all.")
    ] = None
    late: Annotated[
        bool, typer.Option("--late", help="They arrived after the deadline; house rules may refuse them.")
    ] = False


@grouped
def order(
    file: GameFile,
    power: Annotated[str, typer.Argument(metavar="POWER", help="Whose orders they are.")],
    orders: Annotated[
        list[str] | None, typer.Argument(metavar="[ORDERS]...", help="The orders; - reads them from standard input.")
    ] = None,
    sheet: Annotated[Path | None, typer.Option("--file", metavar="SHEET", help="Read the orders from a file.")] = None,
    entry: EntryOptions = EntryOptions(),
    as_json: AsJson = False,
) -> None:
    """Give a power's orders.

    Orders that can be read are saved, and repeated in full words so that you see how they were understood. Errors are
    about orders that were not saved, warnings about orders that were. A later set replaces an earlier one. Retreats
    and builds under a heading of their own are kept for their phase where house rules allow that.

    For example:

      gamesmaster order winter.json france "A Par - Bur" "A Mar S A Par - Bur" "F Bre - Mao"
      gamesmaster order winter.json france --amend "F Bre - Eng"
      gamesmaster order winter.json france --file orders.txt
    """
    from gamesmaster.game import keeps_ahead
    from gamesmaster.reading import read

    text = _sheet_text(orders or [], sheet)
    game = open_game(file)
    name, code = game.variant.power(power).name, entry.phase or game.phase.code
    said = read(game, name, text, only_orders=True)
    said.check_author()
    known = said.read_only
    found = bool(known.orders or (known.later and keeps_ahead(game.house_rules)))
    if found:
        amend, late = entry.amend, entry.late
        game = change_game(file, lambda game: game.submit(name, known, phase=code, amend=amend, late=late))
    _say_understood(game, said, as_json=as_json)
    if said.refused or not found:
        raise typer.Exit(ExitCode.FAILED)


def _sheet_text(orders: list[str], sheet: Path | None) -> str:
    from gamesmaster import strictjson
    from gamesmaster.reading import LONGEST_SHEET

    if bool(orders) == (sheet is not None):
        raise typer.BadParameter("give orders, - to read them from standard input, or --file", param_hint="ORDERS")
    if sheet is None and orders != ["-"]:
        return "\n".join(orders)
    if sheet is None:
        return decode(typer.get_binary_stream("stdin").read(LONGEST_SHEET + 1))
    return decode(strictjson.read_bytes(sheet, limit=LONGEST_SHEET))


def _say_understood(game: Game, sheet: OrderSheet, *, as_json: bool) -> None:
    """Say how the orders stored were understood, what is doubtful about them, and which could not be read."""
    from gamesmaster.game import SentAhead, corroborate_all, not_kept

    power = sheet.power
    stored = list(game.orders.get(power, ()))
    understood = [{"text": text, "order": _in_full(game, text)} for text in stored]
    ahead = {
        kind: [{"text": text, "order": _in_full(game, text, kind)} for text in texts]
        for kind, texts in game.ahead.get(power, SentAhead()).data.items()
    }
    lost = [line.text for line in not_kept(game.house_rules, sheet)]
    warnings = corroborate_all(game.rules, game.phase.kind, game.position, {power: stored}) if stored else []
    errors = sheet.refused
    if as_json:
        say_json(
            {
                "power": power,
                "phase": game.phase.code,
                "orders": understood,
                "ahead": ahead,
                "not_kept": lost,
                "read_as": sheet.read_as,
                "warnings": [{"about": w.subject, "text": w.text, "clause": w.clause} for w in warnings],
                "errors": [{"line": e.line, "column": e.column, "what": e.what, "hint": e.hint} for e in errors],
            }
        )
        return
    say(f"{power}, {game.variant.calendar.name(game.phase)}: {many(len(stored), 'order')}.")
    for one in understood:
        say(f"  {one['order']}")
    for kind, kept in ahead.items():
        say("\n".join((f"Kept for {kind}:", *(f"  {one['order']}" for one in kept))))
    for how in sheet.read_as:
        say(f"  ({how})")
    for warning in warnings:
        complain("warning", f"{warning} [{warning.clause}]")
    for error in errors:
        complain("error", str(error))
    if lost:
        complain("warning", f"this game does not keep these orders sent ahead: {'; '.join(lost)}")
    if not (sheet.orders or sheet.later):
        complain("error", "no order could be read: nothing was saved")


def _in_full(game: Game, text: str, kind: str = "") -> str:
    """Return an order of the present or another phase in full words; as given if it is not an order."""
    from gamesmaster.judge import OrderReader
    from gamesmaster.orders import PhaseKind

    order = game.rules.derive(OrderReader).read(text, PhaseKind(kind) if kind else game.phase.kind).order
    return game.rules.notation.write(order, full=True) if order else text


# -- `legal` ---------------------------------------------------------------------------------------------------------


def legal(
    file: GameFile,
    what: Annotated[str, typer.Argument(metavar="[WHAT]", help="A unit or a power; all by default.")] = "",
    tree: Annotated[bool, typer.Option("--tree", help="As nested choices, for guided entry.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the legal orders of the phase being played: all that the units on the board could carry out.

    For example:

      gamesmaster legal winter.json "A Par"
      gamesmaster legal winter.json france --tree
    """
    from gamesmaster.judge import LegalOrders, order_tree

    game = open_game(file)
    found = _find_orders(game, LegalOrders(game.rules, game.position), what)
    notation = game.rules.notation
    if as_json:
        shown = {p: order_tree(notation, o) if tree else list(map(notation.write, o)) for p, o in found.items()}
        say_json(shown)
        return
    for power, orders in found.items():
        say(power)
        for line in _branches(order_tree(notation, orders)) if tree else map(notation.tell, orders):
            say(f"  {line}")


def _find_orders(game: Game, legal: LegalOrders, what: str) -> dict[str, list[Order]]:
    """Return the legal orders of all powers, of one, or of one unit; raises `NotFound`."""
    kind = game.phase.kind
    power = find_power(game, what)
    if power or not what:
        powers = [power] if power else game.rules.powers
        return {p: orders for p in powers if (orders := legal.of_power(kind, p, game.season)) or power}
    province = find_province(game, what)
    found: dict[str, list[Order]] = {}
    for name in game.rules.powers:
        orders = [o for o in legal.of_power(kind, name, game.season) if o.at and o.at.province == province]
        if orders:
            found[name] = orders
    if not found:
        raise NotFound(f"no unit to be ordered in {game.variant.board.province(province).name}")
    return found


def _branches(tree: object, depth: int = 0) -> list[str]:
    """Return a tree as lines, each level indented under its choice."""
    lines = []
    if isinstance(tree, dict):
        for choice, branch in tree.items():
            leaf = f": {branch}" if isinstance(branch, str) else ""
            lines += [f"{'  ' * depth}{choice}{leaf}", *_branches(branch, depth + 1)]
    return lines
