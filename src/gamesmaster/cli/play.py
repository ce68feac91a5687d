"""`play`: games between players of the room `players`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import (
    Boards,
    LastYear,
    RulebookText,
    complete_variant,
    find_variant_or_folder,
    finder,
    grouped,
    rulebook_of,
)
from gamesmaster.cli.console import AsJson, complain, many, progress_bar, say, say_json, table
from gamesmaster.errors import GamesmasterError, NotFound

if TYPE_CHECKING:
    from gamesmaster.game import Game
    from gamesmaster.players import Match, Player
    from gamesmaster.variant import Variant

Seating = Callable[[], "dict[str, Player] | list[Player]"]
"""Makes the players of a game anew, by power, or in a list to be assigned at random."""


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """Which games are played, one after the other."""

    games: Annotated[int, typer.Option(metavar="N", help="How many games.", min=1, max=10_000)] = 1
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the first game; each further game adds one.")] = 1
    until: LastYear = None
    patience: Annotated[
        float | None, typer.Option(metavar="S", help="The time limit for each answer of a player.", min=0.01)
    ] = None
    rulebook: RulebookText = None


@grouped
def play(
    variant: Annotated[
        str, typer.Argument(metavar="[VARIANT]", help="A variant's name or path.", autocompletion=complete_variant)
    ] = "standard",
    players: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Names, assigned by lot, or POWER=NAME and one for the rest; the last name takes the remaining seats.",
        ),
    ] = "heuristic",
    series: SeriesOptions = SeriesOptions(),
    record: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to save a single game.")
    ] = None,
    boards: Boards = None,
    as_json: AsJson = False,
) -> None:
    """Let players play games: heuristic, people, peaceful, dumbbot, searcher, random, holder, or a class of your own.

    The same seed gives the same game, including the lot for the powers. Name players like heuristic, or
    bots/mine.py:Mine for a class in a file of your own, which is run.

    For example:

      gamesmaster play
      gamesmaster play standard --players heuristic,random --games 7 --until 1910
      gamesmaster play --players france=heuristic,random --seed 3 -o game.json
    """
    from gamesmaster.game import save
    from gamesmaster.players import Referee, last_year
    from gamesmaster.players import play as play_game

    games, seed, until = series.games, series.seed, series.until
    if record and games > 1:
        raise typer.BadParameter("only a single game is saved", param_hint="--output")
    found = finder(boards)(variant) if boards else find_variant_or_folder(variant)
    last_year(found, until)
    seating, book = _seating(found, players), rulebook_of(series.rulebook)
    matches: list[Match] = []
    with progress_bar() as tell, _kept_if_broken_off(record) as keep:
        for number in range(games):

            def tell_phase(game: Game, number: int = number) -> None:
                keep(game)
                tell(f"{game.phase.code} of game {number + 1}", number, games)

            referee = Referee(tell_phase, series.patience)
            matches.append(play_game(found, seating(), seed=seed + number, rulebook=book, until=until, referee=referee))
    if record:
        save(matches[0].game, record)
    for lapse in [lapse for match in matches for lapse in match.lapses][:10]:
        complain("warning", str(lapse))
    if as_json:
        say_json({"variant": found.id, "games": [_data(m, seed + n) for n, m in enumerate(matches)]})
    elif games == 1:
        _say_game(matches[0])
    else:
        _say_games(matches)


@contextmanager
def _kept_if_broken_off(record: Path | None) -> Iterator[Callable[[Game], None]]:
    """Yield a function that takes the game after each phase; Ctrl-C saves the last one to the record."""
    from gamesmaster.game import save

    stages: list[Game] = []
    try:
        yield stages.append if record else lambda game: None
    except KeyboardInterrupt:
        if record and stages:
            save(stages[-1], record)
            complain("warning", f"broken off: {record} has the game up to {stages[-1].phase.code}")
        raise


def _seating(variant: Variant, text: str) -> Seating:
    """Return a function that makes the players; raises `NotFound` for an unknown power or player."""
    from gamesmaster.players import find_player, read_seats

    try:
        fixed, names = read_seats(variant, text)
    except NotFound:
        raise
    except GamesmasterError as error:
        raise typer.BadParameter(error.what, param_hint="--players") from None
    if not fixed:
        return lambda: [find_player(name) for name in names]
    if len(set(names)) > 1:
        raise typer.BadParameter("expected one player for the powers not named", param_hint="--players")
    left = [power.name for power in variant.powers if power.name not in fixed]
    seats = {**fixed, **dict(zip(left, names, strict=False))}
    return lambda: {power: find_player(name) for power, name in seats.items()}


# -- telling ---------------------------------------------------------------------------------------------------------


def _say_game(match: Match) -> None:
    game, years = match.game, match.years
    for power, player in game.players.items():
        say(f"{power}: {player}")
    say()
    table(("year", *(power.name for power in game.variant.powers)), [(y, *c.values()) for y, c in years.items()])
    say()
    say(match.outcome.text if match.outcome else f"Broken off before {game.variant.calendar.name(game.phase)}.")


@dataclass
class _Tally:
    """The results of one kind of player, over all its seats."""

    seats: int = 0
    wins: int = 0
    share: float = 0.0
    centres: list[int] = field(default_factory=list)


def _say_games(matches: Sequence[Match]) -> None:
    """Print a row for each kind of player. Games count together whatever number a player has among its like."""
    tallies: dict[str, _Tally] = {}
    for match in matches:
        shares = match.outcome.shares if match.outcome else {}
        for power, player in match.game.players.items():
            tally = tallies.setdefault(player.rstrip("0123456789 "), _Tally())
            tally.seats += 1
            tally.wins += shares.get(power) == 1
            tally.share += float(shares.get(power, 0))
            tally.centres.append(match.centres[power])
    heads = ("player", "seats", "wins", "shares of victory", "centres on average")
    table(heads, [(n, t.seats, t.wins, f"{t.share:g}", f"{sum(t.centres) / t.seats:.1f}") for n, t in tallies.items()])
    over = sum(match.outcome is not None for match in matches)
    say(f"{many(len(matches), 'game')}, {over} of them played to the end")


def _data(match: Match, seed: int) -> dict[str, Any]:
    outcome = match.outcome
    return {
        "seed": seed,
        "players": dict(match.game.players),
        "phase": match.game.phase.code,
        "years": {str(year): counts for year, counts in match.years.items()},
        "centres": match.centres,
        "outcome": {"termination": outcome.termination.value, "winners": list(outcome.winners)} if outcome else None,
        "lapses": list(map(asdict, match.lapses)),
    }
