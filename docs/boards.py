"""Print the page `boards.md`: every board with its picture, its notes and its provinces.

    python docs/boards.py > docs/boards.md
    python docs/boards.py --maps          (draws docs/maps/<board>.svg)

Everything comes from the committed files: the boards and shapes of the package, and `boards/<board>/NOTES.md`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from gamesmaster.board import Board, Location, Position, Terrain, read_board
from gamesmaster.pictures import Picture, Shapes, Snapshot, read_shapes
from gamesmaster.pictures.shapes.files import board_folder, home_powers
from gamesmaster.variant import find_variant, variant_names

ROOT = Path(__file__).resolve().parents[1]
GAMES = {
    "standard": "Diplomacy",
    "cline9": "Cline Nine-Man Diplomacy",
    "conquest2": "Conquest of the New World II",
    "1000ad": "1000 AD",
    "indianomacy": "Indianomacy and Indianomacy II",
    "scottomacy": "Scottomacy",
    "ancmed": "The Ancient Mediterranean",
    "hundredyears": "The Hundred Years' War",
    "modern": "Modern Europe",
    "1900": "Nineteen Hundred",
    "asia1870": "Asia 1870",
    "eurasia1901": "Eurasia 1901",
}
DRAWN = {"land": "by land", "arrow": "by fleet", "offboard": "by fleet, out of the frame", "canal": "canal"}

HEAD = """# The boards

Each board that the program draws from a real coast. The regular one is as everybody knows it. The map sheets of six
old games are lost: what is left are rules that name provinces, list connections and count centres. Each of those
boards has been built anew from what its document says and from the lie of the land, and each section here says how,
where it departs from either, and what a lucky find of the old sheet might overturn. Of the games that other sites
play, which provinces touch is a fact that their files agree on, and the drawing is ours. Every sentence of a document
about its map is a test of the finished board; they stand in `boards/<board>/statements.toml`.

`gamesmaster map BOARD` draws any of them in other styles and formats, `gamesmaster board show BOARD` lists its
provinces. [Boards and variants as files](board-files.md) says how they are written down. This page is made by
`python docs/boards.py`; the tests see to it that it is current.
"""


def board_of(name: str) -> Board:
    """The committed board."""
    return read_board(board_folder(name) / "board.json")


def shapes_of(name: str) -> Shapes:
    """Its committed shapes."""
    return read_shapes(board_folder(name) / "shapes.json")


def map_of(name: str) -> str:
    """The picture of a board: the start of its game where the package has one, else home centres in their colours."""
    board, shapes = board_of(name), shapes_of(name)
    if name in variant_names():
        variant = find_variant(name)
        return Picture(board, shapes, variant.powers).svg(
            Snapshot(variant.start, title=GAMES[name], subtitle="The start")
        )
    owners = {p.id: p.home for p in board.provinces if p.centre and p.home}
    return Picture(board, shapes, home_powers(board)).svg(Snapshot(Position((), owners), title=GAMES[name]))


def page() -> str:
    """The whole page."""
    boards = {name: board_of(name) for name in GAMES}
    parts = [HEAD, *_table(("board", "provinces", "land", "water", "centres", "powers at home"), _figures(boards)), ""]
    for name, board in boards.items():
        parts += [*_section(name, board), ""]
    return "\n".join(parts).rstrip() + "\n"


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |".replace("|  |", "| |").replace(
            "|  |", "| |"
        )


def _figures(boards: Mapping[str, Board]) -> Iterator[tuple[str, ...]]:
    for name, board in boards.items():
        land = sum(p.terrain in (Terrain.INLAND, Terrain.COAST) for p in board.provinces)
        homes = str(len(home_powers(board)) or "nobody")
        sizes = (len(board.provinces), land, len(board.provinces) - land, len(board.centres))
        yield f"[{GAMES[name]}](#{_anchor(GAMES[name])})", *map(str, sizes), homes


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def _section(name: str, board: Board) -> Iterator[str]:
    notes = _notes(name)
    yield f"## {GAMES[name]}\n"
    yield f"{notes.pop('What it is')}\n"
    yield f"[![The map of {GAMES[name]}](maps/{name}.svg)](maps/{name}.svg)\n"
    for title, text in notes.items():
        yield f"### {GAMES[name]}: {title[0].lower()}{title[1:]}\n\n{text}\n"
    yield f"### {GAMES[name]}: provinces\n"
    yield f"{_told(name)}\n"
    if special := list(_special(name, board)):
        yield "\n".join(special) + "\n"
    yield '<details markdown="1"><summary>Every province and its neighbours</summary>\n'
    yield from _table(("", "name", "terrain", "centre", "home of", "by land", "by water"), _provinces(board))
    yield "\n</details>"


def _notes(name: str) -> dict[str, str]:
    """The sections of NOTES.md by title."""
    text = (ROOT / "boards" / name / "NOTES.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    return {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def _told(name: str) -> str:
    path = ROOT / "boards" / name / "statements.toml"
    statements = tomllib.loads(path.read_text(encoding="utf-8"))["statement"]
    ours = sum(bool(s.get("reading")) for s in statements)
    said = f"{len(statements) - ours} sentences of the document"
    return f"Tested against {said}{f' and {ours} readings of ours' * bool(ours)}."


def _special(name: str, board: Board) -> Iterator[str]:
    """Passages that the map draws, and what is closed to some."""
    for link in shapes_of(name).links:
        if link.kind:
            yield f"- {link.a} - {link.b}, {DRAWN[link.kind]}: {link.reason}"
    for closure in board.closures:
        who = " ".join([*sorted(closure.kinds), *sorted(closure.powers)])
        yield f"- {closure.province} is closed to {who or 'all'}: {closure.reason}"


def _provinces(board: Board) -> Iterator[tuple[str, ...]]:
    for p in board.provinces:
        known = p.id if p.abbr.casefold() == p.id.casefold() else f"{p.id} {p.abbr}"
        coasts = [f"{coast}: {_near(board, 'fleet', Location(p.id, coast))}" for coast in p.coasts]
        water = "; ".join(coasts) or _near(board, "fleet", Location(p.id))
        yield (
            f"**{known}**", p.name, p.terrain.value, "centre" if p.centre else "", p.home or "",
            _near(board, "army", Location(p.id)), water,
        )  # fmt: skip


def _near(board: Board, way: str, place: Location) -> str:
    order = board.location_index
    near = {edge.b for edge in board.edges if edge.way == way and edge.a == place}
    return " ".join(str(b) for b in sorted(near, key=order.__getitem__))


def main(words: list[str]) -> None:
    """Print the page, or draw the maps."""
    if words != ["--maps"]:
        sys.stdout.write(page())
        return
    folder = ROOT / "docs" / "maps"
    folder.mkdir(exist_ok=True)
    for name in GAMES:
        (folder / f"{name}.svg").write_text(map_of(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
