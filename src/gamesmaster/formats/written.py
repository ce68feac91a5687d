"""What all writers of other programs' forms share: files with what they lose, and our own form beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gamesmaster.board import Board
from gamesmaster.errors import GamesmasterError
from gamesmaster.files import write_whole
from gamesmaster.formats.naming import candidates
from gamesmaster.game import Game, Record, as_left, dumps, position_data, seen_by, state_data
from gamesmaster.rules import BuildSites, Mechanic
from gamesmaster.variant import Variant, edition_of

JSON = dict[str, Any]
LINES = "phase-lines"
"""The form of phases as JSON lines, our own."""


@dataclass(slots=True)
class Exported:
    """Files of another program's form, by their paths, and what they do not hold."""

    form: str
    files: dict[str, bytes] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def write(self, folder: Path | str) -> None:
        """Write the files into a folder."""
        for name, data in self.files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)


def without_secrets(game: Game, viewer: str) -> Game:
    """Return a game that goes on as a power, or anybody if that is empty, may see it; raises `NotFound`."""
    own = {game.variant.power(viewer).name} if viewer else set[str]()
    game = seen_by(game, own)
    orders = {power: texts for power, texts in game.orders.items() if power in own}
    return game if game.outcome else replace(game, orders=orders, ahead={}, votes={})


def own_form(made: Exported, game: Game, name: str) -> None:
    """Add our own form of a game, which `made` does not hold whole: its record if it is over, else its phases."""
    if game.outcome:
        made.files[f"{name}.record.json"] = dumps(game).encode()
        return
    made.files[f"{name}.{LINES}.jsonl"] = "".join(f"{json.dumps(line)}\n" for line in phase_data(game, name)).encode()
    made.lost.append("the seed, orders of others, votes and players stay secret while the game goes on")
    if game.variant.edition and not game.variant.edition.shipped:
        own_variant(made, game.variant)


def own_variant(made: Exported, variant: Variant) -> None:
    """Add the folder of a variant; raises `NotFound` for one that was never in files."""
    for name, text in edition_of(variant).files:
        made.files[f"{variant.family}/{name}"] = text.encode()


def phase_data(game: Game, name: str) -> Iterator[JSON]:
    """Yield a phase line with the whole state for each phase that is over, and one for the phase being played."""
    state = replace(game.state, seed=b"", outcome=None)
    after: list[Record | Game] = [*game.records, game]
    for record, following in zip(game.records, after[1:], strict=True):
        now = replace(state, phase=record.phase, position=record.position, disorder=record.disorder)
        led_to = as_left(following)
        position = state_data(replace(state, phase=led_to.phase, position=led_to.position))
        kept = {key: position[key] for key in ("numbers", "aboard", "state") if key in position}
        yield {
            "game": name,
            **state_data(now),
            "orders": {power: list(texts) for power, texts in record.orders.items()},
            "next": {"phase": led_to.phase.code, **position_data(led_to.position), **kept},
        }
    yield {"game": name, **state_data(state), "orders": {power: list(texts) for power, texts in game.orders.items()}}


def three_letters(board: Board, lost: list[str]) -> Mapping[str, str]:
    """Return a code of three letters for each province: its id if that is one, else a new one, added to `lost`."""
    codes: dict[str, str] = {p.id: p.id for p in board.provinces if len(p.id) == 3 and p.id.isalpha()}
    for province in (p for p in board.provinces if p.id not in codes):
        taken = set(codes.values())
        free = (code for code in candidates(province.name) if len(code) == 3 and code not in taken)
        codes[province.id] = next(free)
    if longer := [f"{key} is {code}" for key, code in codes.items() if key != code]:
        lost.append(f"ids have three letters: {', '.join(longer)}")
    return codes


def plain_pieces(variant: Variant, program: str) -> None:
    """Raise `GamesmasterError` for a variant with other units than armies and fleets, or with boxes."""
    kinds = sorted(set(variant.board.ways) - {"A", "F"})
    if kinds:
        what = f"{program} has armies and fleets only; {variant.name} has {', '.join(kinds)}"
        raise GamesmasterError(what, hint="its own folder or record holds the whole")


def lost_of_variant(variant: Variant, *, without: tuple[type[Mechanic], ...] = ()) -> list[str]:
    """Return what files of other programs do not hold of a variant."""
    board, lost = variant.board, list[str]()
    mechanics = dict.fromkeys(m.id for m in variant.mechanics if not isinstance(m, without))
    found = {
        "mechanics": mechanics,
        "borders for some powers": [f"{e.way} {e.a} - {e.b}" for e in board.edges if e.only],
        "borders that no convoy crosses": [f"{e.a} - {e.b}" for e in board.edges if not e.convoy],
        "provinces closed to some": [closed.province for closed in board.closures],
        "options": [option.name for option in variant.options],
        "numbers of centres that win for one power": variant.victory.of,
        "an end by a lead": ["lead"] if variant.victory.lead else [],
        "an end in a last year": [str(variant.victory.last_year)] if variant.victory.last_year else [],
        "an end by units": ["units"] if variant.victory.count != "centres" else [],
        "an end when few remain": [str(variant.victory.last)] if variant.victory.last else [],
    }
    for what, items in found.items():
        if items:
            names = list(items)
            more = f" and {len(names) - 12} more" if len(names) > 12 else ""
            lost.append(f"not carried over: {what}: {', '.join(names[:12])}{more}")
    if variant.rulebook != "datc":
        lost.append("not carried over: choices of the rulebook")
    return lost


def builds_anywhere(variant: Variant, lost: list[str]) -> bool:
    """Return whether powers build in any centre that they own; a third way is lost."""
    if variant.build_sites not in (BuildSites.OWN_HOMES, BuildSites.ANY_OWNED):
        lost.append(f"not carried over: builds in {variant.build_sites.value}")
    return variant.build_sites is BuildSites.ANY_OWNED
