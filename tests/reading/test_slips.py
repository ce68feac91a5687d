"""Names with one slip of the pen: what the position does not confirm is refused, never read as another place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase

import pytest

from gamesmaster.board import Location, Position, Terrain, Unit
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import Situation, read
from gamesmaster.rules import Rules
from tests.lengths import short_and_long
from tests.reading.corpus import rules_of

VARIANTS = ("standard", "cline9", "indianomacy", "scottomacy", "conquest2", "1000ad")
MOST_WRONG = 2 / 10_000
OTHER_UNITS = 12


def misspelt(rng: random.Random, name: str) -> str:
    """A name with one letter put in, left out, replaced, or changed about with the next one."""
    while True:
        at, letter = rng.randrange(len(name)), rng.choice(ascii_lowercase)
        before, behind = name[:at], name[at + 1 :]
        slip = rng.choice(
            [before + letter + name[at:], before + behind, before + letter + behind]
            + ([before + behind[0] + name[at] + behind[1:]] if behind else [])
        )
        if name[at].isalpha() and slip.casefold() != name.casefold():
            return slip


@dataclass
class Board:
    """The positions of a variant in which names are misspelt."""

    rules: Rules
    rng: random.Random
    situations: dict[Location, tuple[Unit, Situation]] = field(default_factory=dict)

    def situation(self) -> tuple[Unit, Situation]:
        """A unit of the first power somewhere, among a few other units."""
        kind, spot = self.rng.choice([at for at in sorted(self.rules.board.standing) if at[0] in self.rules.board.ways])
        here = Location(*spot)
        if here not in self.situations:
            others = self.rng.sample(sorted(self.rules.board.standing), OTHER_UNITS)
            taken = {
                at[0]: (kind, at) for kind, at in others if at[0] != here.province and kind in self.rules.board.ways
            }
            powers = self.rules.powers
            units = [Unit(n, kind, powers[n % 3], Location(*at)) for n, (kind, at) in enumerate(taken.values(), 2)]
            position = Position((Unit(1, kind, powers[0], here), *units))
            self.situations[here] = position.units[0], Situation(self.rules, PhaseKind.MOVEMENT, position)
        return self.situations[here]

    def slip(self) -> tuple[str, str, list[set[str]]]:
        """An order whose goal is misspelt, the province meant, and those of each order that was read."""
        board = self.rules.board
        unit, situation = self.situation()
        near = [board.provinces[at] for at in board.reach(unit.kind, board.location_index[unit.at])]
        anywhere = [province for province in board.provinces if province.terrain is not Terrain.IMPASSABLE]
        form = self.rng.choice(
            ["{kind} {here} - {name}", "{here} to {name}", "{kind} {here} S {name}", "{kind} {name} H"]
        )
        here = board.province(unit.at.province)
        goal = here if form.endswith("H") else self.rng.choice(near if near and self.rng.random() < 0.8 else anywhere)
        name = misspelt(self.rng, goal.name)
        text = form.format(kind=unit.kind, here=here.name, name=name)
        orders = read(situation, self.rules.powers[0], text).orders
        return text, goal.id, [{at.province for at in (o.at, o.of, o.to) if at} for o in orders]


def slips(number: int, seed: int) -> Iterator[tuple[str, bool]]:
    """So many texts with a slip on each board, and whether an order was read in which the province meant is not."""
    for variant in VARIANTS:
        board = Board(rules_of(variant), random.Random(f"{variant} {seed}"))
        for _ in range(number):
            text, meant, read = board.slip()
            yield f"{variant}: {text}", any(meant not in places for places in read)


@pytest.mark.bulk
@pytest.mark.long  # thousands of names are below
def test_few_names_with_a_slip() -> None:
    """Of a few hundred names with one slip on all boards, none is read as another place."""
    assert [text for text, wrong in slips(60, 1) if wrong] == []


@pytest.mark.bulk
@short_and_long("number", 60, 2500)
def test_thousands_of_names_with_a_slip(number: int) -> None:
    """Of so many names on each board with one slip, at most two in ten thousand are read as another place."""
    found = [(text, wrong) for text, wrong in slips(number, 2)]
    assert len(found) == number * len(VARIANTS)
    wrong = [text for text, wrong in found if wrong]
    assert len(wrong) <= max(1, MOST_WRONG * len(found)), wrong


@pytest.mark.bulk
@pytest.mark.parametrize(
    ("here", "text"),
    [
        ("A MAR", "A Mar - Sain"),  # begins Saint Petersburg
        ("A BUR", "A Bur - Petersb"),
        ("A WAL", "A Wales - Treste"),  # nearly "reste", but a dash leads to a place
        ("F BRI", "F Bri - aork"),  # no army in Ork
        ("A NAP", "A Naples - Bri"),  # Britain's code, but Bari is a slip away and in reach
    ],
)
def test_a_name_that_the_position_does_not_confirm_is_refused(here: str, text: str) -> None:
    """A name cut short or misspelt is not an order to a place out of reach: the line is refused with the reason."""
    variant = "1000ad" if here in ("F BRI", "A NAP") else "standard"
    rules = rules_of(variant)
    kind, province = here.split()
    at = next(p.id for p in rules.board.provinces if p.id.casefold() == province.casefold())
    unit = Unit(1, kind, rules.powers[0], Location(at))
    found = read(Situation(rules, PhaseKind.MOVEMENT, Position((unit,))), rules.powers[0], text)
    assert not found.orders
    (no,) = found.refused
    assert no.what
    assert not no.hint or no.hint.startswith(("did you mean", "write one of these: "))


@pytest.mark.parametrize("text", ["Carolina to Virginia Sae", "Carolina to Virginia Snea"])
def test_a_name_of_two_words_is_not_read_as_its_first(text: str) -> None:
    """Virginia Sea with a slip is not Virginia, though one word may stand behind an order in a sentence."""
    rules = rules_of("conquest2")
    unit = Unit(1, "F", rules.powers[0], Location("CRL"))
    found = read(Situation(rules, PhaseKind.MOVEMENT, Position((unit,))), rules.powers[0], text)
    assert found.orders == ()
    assert len(found.refused) == 1
