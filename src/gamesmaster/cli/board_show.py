"""`board show`: the provinces of a board as a table, or all about one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.console import AsJson, many, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.board import Board, Edge, Province


def show(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A board's folder, a board.json, or the name of a variant or board.",
            show_default=False,
        ),
    ],
    province: Annotated[
        str, typer.Option(metavar="PROVINCE", help="Only this one, by id, abbreviation or name.", show_default=False)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show the provinces of a board: their terrain, centres and homes, and who can go where from each.

    Places on a coast are written as in orders to programs, `STP/NC`.

    For example:

      gamesmaster board show standard
      gamesmaster board show standard --province stp
      gamesmaster board show my_island/ --json
    """
    from gamesmaster.cli.board_source import board_source

    board = board_source(path).board
    chosen = [_named(board, province)] if province else list(board.provinces)
    if as_json:
        rows = [_data(board, p) for p in chosen]
        say_json(rows[0] if province else rows)
    elif province:
        _say_one(board, chosen[0])
    else:
        say(f"{board.name}: {many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}")
        say()
        rows_of_text = [
            (p.id, p.name, p.terrain.value, "centre" if p.centre else "", p.home or "", *_reach_texts(board, p))
            for p in chosen
        ]
        table(("id", "name", "terrain", "centre", "home", *(f"by {way}" for way in _ways(board))), rows_of_text)


def _named(board: Board, text: str) -> Province:
    """The province with this id, abbreviation, name or alias, in any case of letters."""
    from gamesmaster.errors import NotFound, nearest

    words = {word: p for p in board.provinces for word in (*p.aliases, p.name, p.abbr, p.id)}
    folded = {word.casefold(): p for word, p in words.items()}
    found = words.get(text) or folded.get(text.strip().casefold())
    if found is None:
        raise NotFound(f"no province {text[:80]!r} on the board {board.name}", hint=nearest(text, words))
    return found


def _ways(board: Board) -> tuple[str, ...]:
    """The ways of travel that have an edge, in the order of the board's kinds of unit."""
    used = {edge.way for edge in board.edges}
    return tuple(way for way in dict.fromkeys((*board.ways.values(), *sorted(used))) if way in used)


def _steps(board: Board, province: Province, way: str) -> dict[str, list[Edge]]:
    """By coast ("" for the province at large): the edges that lead away from it, in the order of the places."""
    found: dict[str, list[Edge]] = {}
    for edge in sorted((e for e in board.edges if e.way == way and e.a.province == province.id), key=lambda e: e.b):
        found.setdefault(edge.a.coast, []).append(edge)
    return {coast: found[coast] for coast in ("", *province.coasts) if coast in found}


def _reach_texts(board: Board, province: Province) -> list[str]:
    """By way: `BAR NWY`, and on split coasts `NC: BAR NWY; SC: BOT LVN`."""
    return [
        "; ".join(
            f"{f'{coast}: ' if coast else ''}{' '.join(str(edge.b) for edge in edges)}"
            for coast, edges in _steps(board, province, way).items()
        )
        for way in _ways(board)
    ]


def _data(board: Board, province: Province) -> dict[str, Any]:
    reach = {
        way: {coast: [str(edge.b) for edge in edges] for coast, edges in _steps(board, province, way).items()}
        for way in _ways(board)
    }
    return {
        "id": province.id,
        "name": province.name,
        "abbr": province.abbr,
        "aliases": list(province.aliases),
        "terrain": province.terrain.value,
        "centre": province.centre,
        "home": province.home,
        "coasts": list(province.coasts),
        "convoy": province.convoy,
        "reach": reach,
    }


def _say_one(board: Board, province: Province) -> None:
    facts = [
        province.terrain.value,
        *(["supply centre"] if province.centre else []),
        *([f"home of {province.home}"] if province.home else []),
        *([f"coasts {', '.join(province.coasts)}"] if province.coasts else []),
    ]
    say(f"{province.name} ({province.abbr}): {', '.join(facts)}")
    if province.aliases:
        say(f"  also called {', '.join(province.aliases)}")
    for way in _ways(board):
        for coast, edges in _steps(board, province, way).items():
            say(f"  by {way}{f' from {coast}' if coast else ''}:")
            for edge in edges:
                say(f"    {edge.b!s:<8} {board.province(edge.b.province).name}{_unusual(edge)}")


def _unusual(edge: Edge) -> str:
    """What sets a step apart from others, in brackets."""
    told = [
        *([] if edge.convoy else ["no convoy"]),
        *([f"only {', '.join(sorted(edge.only))}"] if edge.only else []),
        *([edge.reason] if edge.reason else []),
    ]
    return f" ({'; '.join(told)})" if told else ""
