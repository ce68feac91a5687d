"""The heuristic player's values of places, and its expectations of others: plain functions over columns.

A column is a list at the table and an array in batches, where `batches` compiles these functions unchanged. So they
consist of loops, and take all data as arguments: units, provinces and states (`survey.Chart`) by number, powers from 1,
the last number being for units of no power.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

JOIN_CHANCE = 0.4
"""The probability that a foreign unit takes part in a fight for an adjacent province."""
LEAVE_CHANCE = 0.2
"""The probability that a foreign unit leaves its province."""
DOUBT = 0.8
"""The error of a guess about others, as a fraction of it, where they surely come."""


class Fixed(Protocol):
    """Numbers that stay as they are: a list, a tuple or an array."""

    def __getitem__(self, at: Any, /) -> Any: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


class Column(Fixed, Protocol):
    """Numbers that are worked on: a list or an array."""

    def __setitem__(self, at: Any, number: Any, /) -> None: ...


class Chances(NamedTuple):
    """What units of other powers may do."""

    leaves: Fixed  # by power: the probability that its units leave their places, 0 if they never move
    width: int  # the length of a row of `fewer`
    fewer: Fixed  # the probabilities of `few`, a row for each number of units


class Outlook(NamedTuple):
    """A position as one power sees it."""

    power: int  # whose outlook this is
    powers: int  # one more than the highest number of a power
    chances: Chances
    box: Fixed  # by province: 1 where units do not block each other
    standing: Fixed  # by province: the power of the unit there, 0 for none
    strength: Fixed  # [province * powers + power]: how many of a power's units could attack
    strongest: Fixed  # by province: the most units that one other power could bring
    calm: Column  # by province: the probability that no foreign unit moves there on its own


class Rings(NamedTuple):
    """The tables for summing up the rings around states, from the last ring."""

    share: Fixed  # by state: one over the average number of ways, by which its sum is scaled
    ways: Any  # by state: all ways that lead there, as `sum_up` takes them
    faint: Fixed  # the weights of leaps that count less than a step; the last ring is listed again for each
    split_at: Fixed  # by choice between coasts: where it begins in `split`
    split: Fixed  # the states to choose between: the best of them counts


# -- what places are worth -------------------------------------------------------------------------------------------


def weigh_centres(
    worth: Column, centre: Fixed, holder: Fixed, sizes: Fixed, strongest: Fixed, grudge: Fixed,
    power: int, tastes: Any,
) -> None:  # fmt: skip
    """Write the value of every province by itself to a power with these `tables.Tastes` to `worth`.

    `holder` are the owners of centres, 0 if nobody that plays, and `sizes` how many each power has, from number 1.
    """
    largest, total, alive = 1, 0, 0
    for other in range(1, len(sizes)):
        largest = max(largest, sizes[other])
        total += sizes[other]
        alive += int(sizes[other] > 0)
    for place in range(len(worth)):
        worth[place] = 0.0
        if centre[place]:
            owner = holder[place]
            ahead = max(0.0, sizes[owner] * alive / max(1, total) - 1) if owner else 0.0
            if owner == power:
                worth[place] = tastes.keeping * min(2, strongest[place]) / 2 * max(0.0, 1 - tastes.daring * ahead)
            elif owner:
                worth[place] = (tastes.taking + tastes.leader * sizes[owner] / largest) * (1 + tastes.envy * ahead)
                worth[place] *= 1 - tastes.peace / (1 + grudge[power * len(sizes) + owner])
            else:
                worth[place] = tastes.free


def worth_laden(own: float, load: float, lies: bool) -> float:
    """Return the value of a place to a carrier and its load: to both, or to the carrier alone where both cannot be."""
    return own + load if lies else own


def sum_rings(total: Column, ring: Column, numbers: Column, weights: Fixed, rings: Rings) -> None:
    """Write the value of each state, by its own province and the rings of states around, to `total`.

    `ring` is what each is worth by itself, `weights` are those of the rings, its own first; `numbers` is scratch, for
    all that a ring is summed up from.
    """
    faint, split_at, split = rings.faint, rings.split_at, rings.split
    nodes = len(ring)
    for n in range(nodes):
        numbers[n] = ring[n]
        total[n] = weights[0] * ring[n]
    for k in range(1, len(weights)):
        end = nodes
        for weight in faint:
            for n in range(nodes):
                numbers[end + n] = weight * ring[n]
            end += nodes
        for coasts in range(len(split_at) - 1):
            best = ring[split[split_at[coasts]]]
            for i in range(split_at[coasts] + 1, split_at[coasts + 1]):
                best = max(best, ring[split[i]])
            numbers[end + coasts] = best
        sum_up(total, weights[k], ring, numbers, rings.ways, rings.share)


def sum_up(total: Any, weight: float, ring: Any, numbers: Any, ways: Any, share: Any) -> None:
    """Replace `ring` by the next ring, the scaled sums of certain `numbers`, and add it, weighted, to `total`.

    At the table each of `ways` picks the numbers for one sum; machine code has loops in place of this
    (`batches.heuristic.seats`).
    """
    ring[:] = [sum(pick(numbers)) * part for pick, part in zip(ways, share, strict=True)]
    numbers[: len(ring)] = ring
    total[:] = [before + weight * more for before, more in zip(total, ring, strict=True)]


# -- what others may do ----------------------------------------------------------------------------------------------


def rank(strength: Fixed, powers: int, first: Column, most: Column, second: Column) -> None:
    """Write, by province, the power that could bring most units there, how many, and how many the next power could."""
    for place in range(len(first)):
        first[place] = most[place] = second[place] = 0
        for power in range(1, powers):
            units = strength[place * powers + power]
            if units > most[place]:
                first[place], most[place], second[place] = power, units, most[place]
            elif units > second[place]:
                second[place] = units


def look_as(power: int, first: Fixed, most: Fixed, second: Fixed, strongest: Column) -> None:
    """Write, by province, the most units that one power other than this could bring there to `strongest`."""
    for place in range(len(first)):
        strongest[place] = second[place] if first[place] == power else most[place]


def expect(
    power: int, units: int, value: Fixed, place: Fixed, owners: Fixed, states: Fixed,
    begins: Fixed, ends: Fixed, reach: Fixed, calm: Column, came: Column, calm_at: Column,
) -> int:  # fmt: skip
    """Estimate where foreign units will go if they value places alike, and return to how many provinces.

    A unit goes to a place, or stays, the more likely the more it is worth there.  Units are rows 1 to `units`; each has
    an owner and a state, and could come to the states `reach[begins:ends]`, whose provinces are `place`.  The provinces
    are `calm_at`, in the order in which they are found; `calm`, which begins with ones, says how likely nobody comes
    there.  `came` is zeros.
    """
    found = 0
    for r in range(1, units + 1):
        if owners[r] and owners[r] != power:
            total = 0.0
            near = reach[begins[r] : ends[r]]
            for end in near:
                total += value[end]
            total += value[states[r]]
            if total == 0.0:
                total = 1.0
            for end in near:
                at = place[end]
                if not came[at]:
                    came[at] = 1
                    calm_at[found] = at
                    found += 1
                calm[at] *= 1 - value[end] / total
    return found


def doubt(calm: Column, calm_at: Fixed, guesses: Fixed, found: int) -> None:
    """Bend the expectations for the first `found` places listed, each by a guess from 0 to 1.

    Players with the same values do not all play the same.
    """
    for i in range(found):
        likely = calm[calm_at[i]]
        calm[calm_at[i]] = likely * (1 + DOUBT * (1 - likely) * (2 * guesses[i] - 1))


def few(s: Outlook, most: int, units: int) -> float:
    """Return the probability that fewer than `most` of these `units` act."""
    return float(s.chances.fewer[units * s.chances.width + min(most, units + 1)])


def enters(s: Outlook, place: int, strength: int) -> float:
    """Return the probability that a move into a province with this strength, its own unit counted, succeeds."""
    if place < 0 or s.box[place]:
        return 1.0
    empty = s.calm[place] if strength == 1 else few(s, strength, s.strongest[place])  # alone, anybody stands it off
    holder = s.standing[place]
    if not holder or holder == s.power:
        return float(empty)
    stays = few(s, strength - 1, s.strength[place * s.powers + holder])
    leaves = s.chances.leaves[holder]
    return float(leaves * empty + (1 - leaves) * stays)


def keeps(s: Outlook, place: int, strength: int) -> float:
    """Return the probability that a unit with this strength, itself counted, is not dislodged."""
    return few(s, strength + 1, s.strongest[place])
