"""`status`: where a game stands, and who would agree to end it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gamesmaster.cli.arguments import GameFile, open_game
from gamesmaster.cli.console import AsJson, many, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.game import Game


def status(file: GameFile, as_json: AsJson = False) -> None:
    """Show where a game stands: the phase, which orders are due, whose orders and votes are in.

    For example:

      gamesmaster status winter.json
    """
    game = open_game(file)
    if as_json:
        say_json(status_data(game))
        return
    say(f"{game.variant.name}, {game.variant.calendar.name(game.phase)} ({game.phase.code})")
    if game.outcome:
        say(game.outcome.text)
        return
    if game.house_rules.choices():
        say(f"House rules: {game.house_rules}")
    missed = game.misses
    rows = [
        (s.power, game.players.get(s.power, ""), s.centres, s.units, s.text,
         _received(s.orders, missed[s.power], disorder=s.disorder))
        for s in game.status
    ]  # fmt: skip
    table(("power", "player", "centres", "units", "asked for", "received"), rows)
    for heading, lines in game.ledger.told.items():
        say("\n".join(("", heading, *(f"  {line}" for line in lines))))
    votes = [proposal.text for proposal in proposals(game)]
    if votes:
        say("\n".join(("", *votes)))


def _received(orders: int | None, missed: int, *, disorder: bool) -> str:
    if disorder:
        return "in civil disorder"
    before = f", missed {missed} in a row" if missed else ""
    return f"nothing{before}" if orders is None else many(orders, "order")


def status_data(game: Game) -> dict[str, object]:
    """The status of a game as JSON."""
    from gamesmaster.formats.phases import ledger_data

    missed = game.misses
    return {
        "variant": game.variant.id,
        "phase": game.phase.code,
        "house_rules": str(game.house_rules),
        "outcome": game.outcome.text if game.outcome else None,
        "powers": [
            {"power": s.power, "player": game.players.get(s.power), "centers": s.centres, "units": s.units,
             "asked_for": s.text, "orders": s.orders, "waiting": s.waiting, "civil_disorder": s.disorder,
             "missed": missed[s.power]}
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
        """What is agreed to: `to a draw`, `that France wins`, `that France and Italy share a draw`."""
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
    """The ends that somebody agrees to, in the order in which they were first voted for."""
    return [proposed(game, winners) for winners in dict.fromkeys(game.votes.values())]


def proposed(game: Game, winners: tuple[str, ...]) -> Proposal:
    """How an end stands: who of those asked has agreed, and who has not (STD-2.b, 10.h)."""
    asked = game.asked(winners)
    agreed = tuple(p for p in asked if game.votes.get(p) == winners)
    missing = tuple(p for p in asked if p not in agreed)
    return Proposal(winners == game.survivors, winners, agreed, missing)
