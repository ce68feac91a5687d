"""The course of a game: it begins, phases are processed and taken back, players agree to end it, leave and return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gamesmaster.cli.arguments import (
    GameFile,
    HouseRulesText,
    RulebookText,
    change_game,
    complete_variant,
    grouped,
    open_game,
    read_choices,
    rulebook_of,
    variant_beside,
)
from gamesmaster.cli.console import AsJson, complain, many, say, say_json, table
from gamesmaster.cli.reports import say_report
from gamesmaster.errors import OutOfTurn

if TYPE_CHECKING:
    from gamesmaster.game import Game

Goal: TypeAlias = "Callable[[Game], tuple[str, ...]]"
"""The winners of a game if its voters agree."""
Agreeing = Annotated[list[str], typer.Argument(metavar="POWER", help="Who agrees.")]
Withdraw = Annotated[bool, typer.Option("--withdraw", help="Withdraw their votes.")]


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What a new game is played by."""

    variant: Annotated[
        str,
        typer.Option(metavar="NAME", help="The variant to play, or the path of one.", autocompletion=complete_variant),
    ] = "standard"
    rulebook: RulebookText = None
    house_rules: HouseRulesText = None
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="The seed of all dice: 64 hexadecimal digits.")] = None


@grouped
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.")],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYERS]...", help="POWER=NAME for some powers, or one name for each, assigned by lot."
        ),
    ] = None,
    start: StartOptions = StartOptions(),
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Begin a game.

    For example:

      gamesmaster new winter.json
      gamesmaster new winter.json p1 p2 p3 p4 p5 p6 p7
      gamesmaster new winter.json France=p1 Germany=p2 --rulebook 1971
      gamesmaster new winter.json --house-rules postal-1972,deadline_days=14
    """
    from gamesmaster.game import Game, save

    if file.exists() and not force:
        raise OutOfTurn(f"{file} exists already", hint="choose another name, or replace it with --force")
    found = variant_beside(file, start.variant)
    book, house = rulebook_of(start.rulebook), read_choices(start.house_rules)
    seats = _seats(players or [])
    game = Game.start(found, seed=_seed(start.seed), rulebook=book, players=seats, house_rules=house)
    save(game, file)
    commitment = game.dice.commitment
    if as_json:
        say_json({"file": str(file), "variant": found.id, "phase": game.phase.code, "players": dict(game.players),
                  "house_rules": str(game.house_rules), "commitment": commitment})  # fmt: skip
        return
    say(f"{file}: {found.name}, {found.calendar.name(game.phase)}.")
    for power, player in game.players.items():
        say(f"  {power}: {player}")
    if game.house_rules.choices():
        say(f"House rules: {game.house_rules}")
    say(f"SHA-256 of the seed, for the players: {commitment}")


def _seed(text: str | None) -> bytes:
    from gamesmaster.game import new_seed

    try:
        return new_seed() if text is None else bytes.fromhex(text)
    except ValueError:
        raise typer.BadParameter("expected hexadecimal digits", param_hint="--seed") from None


def _seats(players: list[str]) -> dict[str, str] | list[str]:
    pairs = {power.strip(): name.strip() for power, sign, name in (t.partition("=") for t in players) if sign}
    if pairs and len(pairs) < len(players):
        raise typer.BadParameter("either POWER=NAME for each, or only names", param_hint="PLAYERS")
    return pairs or players


# -- the course of the game ------------------------------------------------------------------------------------------


def process(
    file: GameFile,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="Only if this is the current phase.")] = "",
    preview: Annotated[bool, typer.Option("--preview", help="Show the results, and write nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Adjudicate the phase with the orders received, report it, and go on to the next.

    Units without orders hold. If you name the phase, it is never processed twice.

    For example:

      gamesmaster process winter.json --preview
      gamesmaster process winter.json --phase S1901M
    """
    before = open_game(file)
    code = phase or before.phase.code
    game = before.process(phase=code) if preview else change_game(file, lambda game: game.process(phase=code))
    silent = [s.power for s in before.status if s.waiting]
    if silent:
        complain("warning", f"no orders from {', '.join(silent)}")
    if gone := sorted(game.disorder - before.disorder):
        complain("note", f"in civil disorder from now on: {', '.join(gone)} [CLN-H.e]")
    for due in game.due_orders:
        saved = many(len(due.orders), "order")
        complain("note", f"{due.power}: {saved} sent ahead saved for {game.phase.code} [CLN-H.h]")
        for warning in due.missing:
            complain("warning", f"{due.power}, with the orders sent ahead: {warning} [{warning.clause}]")
    say_report(game, "", as_json=as_json)
    if preview:
        complain("warning", "this was a preview; nothing was written")


def rollback(
    file: GameFile,
    phase: Annotated[str, typer.Argument(metavar="PHASE", help="The phase to go back to.")],
) -> None:
    """Take a game back to an earlier phase, with the orders it had then.

    The phases after it are dropped. Dice of later phases fall as before if nothing changes.

    For example:

      gamesmaster rollback winter.json F1902M
    """
    game = change_game(file, lambda game: game.rollback(phase))
    orders = sum(map(len, game.orders.values()))
    say(f"Back in {game.variant.calendar.name(game.phase)}, with its {many(orders, 'order')}.")


# -- how it stands ---------------------------------------------------------------------------------------------------


def status(file: GameFile, as_json: AsJson = False) -> None:
    """Show where a game stands: the phase, which orders are due, whose orders and votes are in.

    For example:

      gamesmaster status winter.json
    """
    from gamesmaster.game import ending_text

    game = open_game(file)
    if as_json:
        say_json(status_data(game))
        return
    say(f"{game.variant.name}, {game.variant.calendar.name(game.phase)} ({game.phase.code})")
    if game.outcome:
        say(ending_text(game))
        return
    if game.house_rules.choices():
        say(f"House rules: {game.house_rules}")
    missed = game.misses
    rows = [
        (s.power, game.players.get(s.power, ""), s.centres, s.units, s.text,
         _describe_orders(s.orders, missed[s.power], _count_ahead(game, s.power), disorder=s.disorder))
        for s in game.status
    ]  # fmt: skip
    table(("power", "player", "centres", "units", "asked for", "received"), rows)
    for heading, lines in game.ledger.summary.items():
        say("\n".join(("", heading, *(f"  {line}" for line in lines))))
    votes = [proposal.text for proposal in proposals(game)]
    if votes:
        say("\n".join(("", *votes)))


def _count_ahead(game: Game, power: str) -> int:
    """Return how many orders that a power sent ahead still wait."""
    return sum(map(len, game.ahead[power].data.values())) if power in game.ahead else 0


def _describe_orders(orders: int | None, missed: int, ahead: int, *, disorder: bool) -> str:
    if disorder:
        return "in civil disorder"
    before = f", missed {missed} in a row" if missed else ""
    received = f"nothing{before}" if orders is None else many(orders, "order")
    return f"{received}, {ahead} sent ahead" if ahead else received


def status_data(game: Game) -> dict[str, object]:
    """Return the status of a game as JSON."""
    from gamesmaster.formats import ledger_data
    from gamesmaster.game import agreed_scores

    missed = game.misses
    return {
        "variant": game.variant.id,
        "phase": game.phase.code,
        "house_rules": str(game.house_rules),
        "outcome": game.outcome.text if game.outcome else None,
        "scores": {power: float(points) for power, points in agreed_scores(game).items()},
        "powers": [
            {"power": s.power, "player": game.players.get(s.power), "centers": s.centres, "units": s.units,
             "asked_for": s.text, "orders": s.orders, "waiting": s.waiting, "civil_disorder": s.disorder,
             "missed": missed[s.power], "ahead": _count_ahead(game, s.power)}
            for s in game.status
        ],
        "ledger": ledger_data(game.ledger),
        "votes": [asdict(proposal) for proposal in proposals(game)],
    }  # fmt: skip


# -- votes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proposal:
    """An end of the game, a draw or a concession: who then wins, who agrees, and who is still to agree."""

    draw: bool
    winners: tuple[str, ...]
    agreed: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def goal(self) -> str:
        """The proposal in words: `to a draw`, `that France wins`, `that France and Italy share a draw`."""
        if self.draw:
            return "to a draw"
        *others, last = self.winners
        return f"that {', '.join(others)} and {last} share a draw" if others else f"that {last} wins"

    @property
    def text(self) -> str:
        """It as a line."""
        if not self.agreed:
            return f"Nobody has agreed {self.goal}."
        agreed = f"Agreed {self.goal}: {', '.join(self.agreed)}."
        if self.missing:
            return f"{agreed} Still to agree: {', '.join(self.missing)}."
        return f"{agreed} Nobody else needs to agree: the game ends when one of them votes again."


def proposals(game: Game) -> list[Proposal]:
    """Return the ends that somebody agrees to, in the order in which they were first voted for."""
    return [proposal_of(game, winners) for winners in dict.fromkeys(game.votes.values())]


def proposal_of(game: Game, winners: tuple[str, ...]) -> Proposal:
    """Return the state of a proposal: the voters that have agreed, and those that have not (STD-2.b, 10.h)."""
    asked = game.voters(winners)
    agreed = tuple(p for p in asked if game.votes.get(p) == winners)
    missing = tuple(p for p in asked if p not in agreed)
    return Proposal(winners == game.survivors, winners, agreed, missing)


# -- the end, and players who leave ----------------------------------------------------------------------------------


def draw(
    file: GameFile,
    powers: Agreeing,
    among: Annotated[
        list[str] | None,
        typer.Option("--among", metavar="POWER", help="A power that shares it, if not all survivors do; repeatable.")
    ] = None,
    withdraw: Withdraw = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Record that powers vote for a draw, shared by all survivors or, if house rules allow that, by some of them.

    The game is over when all survivors agree. Each power has one vote for the phase being played: a new vote replaces
    the old one. Powers in civil disorder are not asked, but share in a draw of all survivors.

    For example:

      gamesmaster draw winter.json france germany
      gamesmaster draw winter.json germany --withdraw
      gamesmaster draw winter.json italy --among france --among germany
    """
    _vote(file, powers, lambda game: game.sharing(among or ()), withdraw=withdraw, as_json=as_json)


def concede(
    file: GameFile,
    powers: Agreeing,
    to: Annotated[str, typer.Option("--to", metavar="POWER", help="The power that would win.")],
    withdraw: Withdraw = False,
    as_json: AsJson = False,
) -> None:
    """Record that powers vote for the victory of another.

    The game is over when all the other survivors agree; house rules can require the winner's consent too. Each power
    has one vote for the phase being played: a new vote replaces the old one. Powers in civil disorder are not asked.

    For example:

      gamesmaster concede winter.json austria italy --to france
      gamesmaster concede winter.json italy --to france --withdraw
    """
    _vote(file, powers, lambda game: (game.variant.power(to).name,), withdraw=withdraw, as_json=as_json)


def absent(
    file: GameFile,
    powers: Annotated[list[str], typer.Argument(metavar="POWER", help="Powers that have lost their players.")],
    back: Annotated[bool, typer.Option("--back", help="They have players again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Record that powers have lost their players, or have players again.

    A power without a player is in civil disorder: its units hold, and it needs neither orders nor votes. Its orders for
    this phase and its vote are deleted, and do not come back with a new player.

    For example:

      gamesmaster absent winter.json italy
      gamesmaster absent winter.json italy --back
    """
    game = change_game(file, lambda game: _change_seats(game, powers, back=back))
    if as_json:
        say_json(status_data(game))
        return
    say(f"{'With a player again' if back else 'In civil disorder'}: {', '.join(_names(game, powers))}.")
    for proposal in proposals(game):
        if not proposal.missing:  # the one who had not agreed is gone, and the votes are not counted anew
            complain("note", proposal.text)


def _names(game: Game, powers: Iterable[str]) -> list[str]:
    """Return each power that is named, once; raises `NotFound`."""
    return list(dict.fromkeys(game.variant.power(power).name for power in powers))


def _change_seats(game: Game, powers: Iterable[str], *, back: bool) -> Game:
    for name in _names(game, powers):
        changed = game.set_disorder(name, gone=not back)
        if back and name not in game.disorder:
            raise OutOfTurn(f"{name} is not in civil disorder")
        game = changed
    return game


def _vote(file: Path, powers: list[str], goal: Goal, *, withdraw: bool, as_json: bool) -> None:
    """Record the votes of these powers for an end of the game, all or none; print the state of the proposal."""
    game = change_game(file, lambda game: _take_votes(game, _names(game, powers), goal(game), withdraw=withdraw))
    if as_json:
        say_json(status_data(game))
    elif game.outcome:
        say(f"The game is over: {game.outcome.text}")
    else:
        say(proposal_of(game, goal(game)).text)


def _take_votes(game: Game, names: list[str], winners: tuple[str, ...], *, withdraw: bool) -> Game:
    def vote(game: Game, name: str) -> Game:
        if len(winners) == 1 and winners != game.survivors:
            return game.concede(name, *winners, yes=not withdraw)
        return game.vote_draw(name, yes=not withdraw, among=winners)

    for name in names:  # one by one first: powers that may not vote get the error, even where the others end the game
        vote(game, name)
        if withdraw and game.votes.get(name) != winners:  # or its other vote would be dropped unawares
            raise OutOfTurn(f"{name} has not agreed {proposal_of(game, winners).goal}")
    for name in names:
        game = game if game.outcome else vote(game, name)
    return game
