"""The program `gamesmaster`: its commands, grouped, and what errors come to."""

from __future__ import annotations

import sys
from errno import EPIPE
from inspect import cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gamesmaster import __version__
from gamesmaster.cli import (
    checks,
    desk,
    exchange,
    games,
    hosting,
    json_lines,
    lab,
    league,
    orders,
    play,
    reports,
    upkeep,
)
from gamesmaster.cli.console import ExitCode, complain, say
from gamesmaster.cli.variants import board, board_build, maps, rules, variant
from gamesmaster.errors import GamesmasterError

HELP = """Plays, adjudicates and records games of Diplomacy and its variants, and explains every result.

A game is a file:

  gamesmaster new winter.json
  gamesmaster order winter.json france "A Par - Bur" "A Mar S A Par - Bur" "F Bre - Mao"
  gamesmaster process winter.json
  gamesmaster explain winter.json "A Par"

Programs send it positions and orders as JSON lines (gamesmaster adjudicate) and read JSON where --json is offered.

Exit codes: 0 success; 1 a check failed, or some of the input was refused; 2 the command line is wrong; 3 a file, power,
variant or phase is wrong.  docs/cli.md describes everything.
"""


def _help(docstring: str) -> str:
    """Return a docstring as help: its paragraphs as wide as the terminal, its examples line by line."""
    paragraphs = cleandoc(docstring).split("\n\n")
    return "\n\n".join(p if p.startswith("  ") else " ".join(p.splitlines()) for p in paragraphs)


class Commands(TyperGroup):
    """The commands; an error that a person can mend becomes a line on the error stream."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except GamesmasterError as error:
            complain("error", str(error))
        except OSError as error:
            if error.errno == EPIPE:  # the reader of the output has seen enough
                raise
            complain("error", f"{error.filename or 'the output'}: {error.strerror or error}")
        except _database_errors() as error:
            complain("error", f"the database: {error}")
        raise typer.Exit(ExitCode.BAD_INPUT) from None


def _database_errors() -> tuple[type[Exception], ...]:
    """Return Django's error for an unreachable database; empty in commands that need no Django."""
    utils = sys.modules.get("django.db.utils")
    return (utils.OperationalError,) if utils else ()


def _version(wanted: bool) -> None:
    if wanted:
        say(f"gamesmaster {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Hold the options of the program itself; its help is `HELP`."""


app = typer.Typer(
    cls=Commands, name="gamesmaster", help=_help(HELP), no_args_is_help=True, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
app.callback()(_program)

PLAY, LOOK, CHECK, MAKE = "Play a game", "Understand", "Check and measure", "Variants and rules"
LAB, HOST = "Many games", "Host games for others"


for panel, functions in {
    PLAY: (
        games.new,
        orders.order,
        desk.desk,
        games.status,
        games.process,
        games.rollback,
        games.draw,
        games.concede,
        games.absent,
        play.play,
    ),
    LOOK: (reports.report, maps.map_, reports.explain, orders.legal, json_lines.read),
    CHECK: (json_lines.adjudicate, checks.replay),
    LAB: (lab.selfplay, lab.balance, lab.compare, league.league),
    MAKE: (
        variant.variants,
        variant.show,
        rules.rules,
        rules.rulebook,
        rules.house_rules,
        exchange.import_,
        exchange.export,
        exchange.formats,
    ),
    HOST: (
        hosting.serve,
        hosting.worker,
        upkeep.backup,
        upkeep.restore,
        upkeep.doctor,
        upkeep.repair,
        upkeep.upgrade,
        hosting.mailroom,
        hosting.mcp,
    ),
}.items():
    for function in functions:
        name = function.__name__.rstrip("_").replace("_", "-")
        app.command(name, help=_help(function.__doc__ or ""), rich_help_panel=panel)(function)

_board = typer.Typer(help="Make, check and show your own boards.", no_args_is_help=True)
for on_board in (board_build.new, board_build.build, board_build.draw, board_build.lint, board.show):
    _board.command(help=_help(on_board.__doc__ or ""))(on_board)
_variant = typer.Typer(help="Make and check your own variants.", no_args_is_help=True)
for on_variant in (variant.new, variant.lint, variant.check):
    _variant.command(help=_help(on_variant.__doc__ or ""))(on_variant)
_dice = typer.Typer(help="Check the dice of a game.", no_args_is_help=True)
_dice.command(help=_help(checks.verify.__doc__ or ""))(checks.verify)
app.add_typer(_board, name="board", rich_help_panel=MAKE)
app.add_typer(_variant, name="variant", rich_help_panel=MAKE)
app.add_typer(_dice, name="dice", rich_help_panel=CHECK)
