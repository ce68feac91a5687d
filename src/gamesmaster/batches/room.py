"""The columns that games in batches are played in: how large they must be, and what they are at the start."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from gamesmaster.batches.chance import DEALT
from gamesmaster.batches.mechanics import parts_of, rules_in_batch
from gamesmaster.batches.state import (
    COUNT,
    LEFT,
    TALLIES,
    Beaten,
    Claims,
    Game,
    KernelRoom,
    Lands,
    Orders,
    Powers,
    RowFacts,
    Scratch,
    Shores,
    Supports,
    Units,
)
from gamesmaster.batches.tables import Tables
from gamesmaster.engine import Rows
from gamesmaster.engine.convoys import Crossings, Search
from gamesmaster.engine.problem import BY_PLACE, BY_ROW
from gamesmaster.engine.rows import Outcome
from gamesmaster.variant import Calendar, Variant


def most_units(variant: Variant, t: Tables) -> int:
    """Return the greatest number of units that a game can ever have.

    It is the number of centres and neutral units, or of units at the start if these are more, plus those that
    mechanics add.
    """
    powers = {power.name for power in variant.powers}
    neutral = sum(unit.power not in powers for unit in variant.start.units)
    more = sum(
        part.columns.more * (_recurrences(variant.calendar) if part.columns.due else 1)
        for part in parts_of(rules_in_batch(variant))
    )
    return max(len(variant.start.units), sum(map(int, t.ground.centre)) + neutral) + more


def _recurrences(calendar: Calendar) -> int:
    """Return the most phases of a turn that one name of a season means, by itself or with the kind of phase."""
    found = Counter[str]()
    for slot in calendar.slots:
        names = {name.casefold() for name in (slot.season, *slot.also)}
        found.update(names | {f"{name} {slot.kind.value}" for name in names})
    return max(found.values())


def room_for(variant: Variant, t: Tables, games: int, rows: int) -> tuple[Game, Scratch]:
    """Return the columns of `games` games, and the scratch of one thread, with room for fewer than `rows` units."""
    return columns_at_start(variant, t, games, rows), scratch_for(variant, t, rows)


def columns_at_start(variant: Variant, t: Tables, games: int, rows: int) -> Game:
    """Return the columns of `games` games, at their start."""
    import numpy as np

    board, size, powers = variant.board, len(t.lands.port), len(variant.powers) + 1
    parts, kinds = parts_of(rules_in_batch(variant)), powers * len(t.kinds.base)
    spares, crowds = any(part.columns.spares for part in parts), any(part.columns.crowds for part in parts)

    def room(*shape: int) -> Any:
        return np.zeros((games, *shape), np.int16)

    game = Game(
        tally=room(TALLIES),
        kept=room(sum(part.columns.width for part in parts)),
        joins=room(2 * rows),
        moved=room(LEFT + 1, rows),
        units=Units(*(room(rows) for _ in Units._fields)),
        beaten=Beaten(*(room(rows) for _ in Beaten._fields)),
        lands=Lands(room(size), room(size), room=room(powers * size if crowds else 0)),
        powers=Powers(*(room(powers) for _ in Powers._fields))._replace(free=room(kinds if spares else 0)),
        orders=Orders(*(room(rows) for _ in Orders._fields)),
    )
    numbers = {power.name: number for number, power in enumerate(variant.powers, 1)}
    game.tally[:, COUNT] = len(variant.start.units)
    for r, unit in enumerate(variant.start.units, 1):
        game.units.number[:, r], game.units.owner[:, r] = unit.number, numbers.get(unit.power, 0)
        game.units.aboard[:, r] = unit.aboard
        kind = list(board.ways).index(unit.kind)
        game.units.stance[:, r] = kind * len(board.locations) + board.location_index[unit.at]
    for province, power in variant.start.owners.items():
        game.lands.holder[:, board.index[province]] = numbers.get(power, 0)
    for number in numbers.values():
        owned = (game.lands.holder[0] == number) & np.greater(t.ground.centre, 0)
        game.powers.centres[:, number] = owned.sum()
    return game


def scratch_for(variant: Variant, t: Tables, rows: int) -> Scratch:
    """Return the scratch columns for one thread."""
    import numpy as np

    size, powers = len(t.lands.port), len(variant.powers) + 1
    widest = max([part.columns.width for part in parts_of(rules_in_batch(variant))], default=0)
    reached = (t.steps.reach[a:b] for a, b in pairwise(t.steps.reach_at) if b > a)
    ends = max(Counter(t.stances.place[stances].tolist()).most_common(1)[0][1] for stances in reached)
    groups = rows + 1

    def room(*shape: int, kind: Any = np.int16) -> Any:
        return np.zeros(shape, kind)

    return Scratch(
        tenant=room(size),
        goals=room(groups),
        listed=room(len(t.stances.place)),
        words=room(DEALT, kind=np.int64),
        spare=room(widest),
        crossings=Crossings(room(size), room(rows + 2), room(groups), touched=room(groups * size), groups=room(groups)),
        search=Search(room(size), room(size), room(max(size, rows)), levels=room(2 * rows + 4), fleet=room(groups)),
        supports=Supports(
            count=room(size + 1),
            row=room(size + 1, 2 + rows * ends),
            to=room(size + 1, 2 + rows * ends),
            walks=room(size + 1),
            alone=room(1),
        ),
        shores=Shores(
            port=room(groups, size),
            ports=room(groups),
            army=room(groups, rows),
            armies=room(groups),
            group=room(size, groups),
            groups=room(size),
        ),
        kernel=KernelRoom(
            cells=room(len(Rows._fields), rows),
            answers=room(len(Outcome._fields), rows),
            places=room(BY_PLACE, size),
            lines=room(BY_ROW, rows),
        ),
        rows=RowFacts(*(room(groups) for _ in RowFacts._fields))._replace(turn=room(groups, kind=np.int32)),
        claims=Claims(room(powers), weights=room(powers, kind=np.int32), leads=room(powers)),
    )
