"""Options of a variant: choices made before the first move, named in brackets behind its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.game import Game, dumps, loads
from gamesmaster.mechanics.boats import Boats
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.rules import Rulebook
from gamesmaster.variant import find_variant, full_name, read_variant, split_name

WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,10}", fullmatch=True)


@given(WORDS, st.dictionaries(WORDS, WORDS, max_size=4))
def test_names_are_read_as_they_are_written(name: str, chosen: dict[str, str]) -> None:
    """A name with its options, written and read, is the same."""
    assert split_name(full_name(name, chosen)) == (name, chosen)


@pytest.mark.parametrize("name", ["a[b", "a]b[", "a[b]", "a[=c]", "a[b=c,b=d]", "a[b=c][d=e]"])
def test_names_that_cannot_be_read_are_refused(name: str) -> None:
    """Brackets left open, options without a choice, and options told twice are told, not guessed at."""
    with pytest.raises(BadFile):
        split_name(name)


def test_an_option_changes_what_it_says() -> None:
    """Units, centres and steps are as the choice has them, and everything else as in the variant itself."""
    plain = find_variant("cline9")
    fleet = find_variant("cline9[turkey=fleet-smyrna]")
    assert {str(u) for u in fleet.start.of("Turkey")} == {"F ANK", "A CON", "F SMY"}
    assert fleet.start.of("Persia") == plain.start.of("Persia")
    assert fleet.board.edges == plain.board.edges
    lists = find_variant("cline9[forty_sixth_centre=none]")
    assert len(lists.board.centres) == len(plain.board.centres) - 1 == 45
    assert lists.power("Barbary States").homes == ("ALG", "MOR", "TUN")
    lebanon = find_variant("cline9[forty_sixth_centre=LEB]")
    assert "LEB" in lebanon.power("Persia").homes
    assert lebanon.start.owners["LEB"] == "Persia"
    closed = find_variant("cline9[strait=closed]")
    gone = set(plain.board.edges) - set(closed.board.edges)
    assert {(str(e.a), str(e.b)) for e in gone} == {("MAO", "WES"), ("WES", "MAO")}


def test_a_centre_may_begin_in_nobodys_hands() -> None:
    """The forty-sixth centre of Cline stays a home of its power, which must take it before it builds for it."""
    plain = find_variant("cline9")
    for place, power in {"WAF": "Barbary States", "LEB": "Persia"}.items():
        variant = find_variant(f"cline9[forty_sixth_centre={place},forty_sixth_owner=nobody]")
        assert place in variant.power(power).homes
        assert place not in variant.start.owners
        assert len(variant.board.centres) == len(plain.board.centres)
        assert sum(owner == power for owner in variant.start.owners.values()) == 3
    idle = Game.start(find_variant("cline9[forty_sixth_owner=nobody]"), seed=bytes(32)).process().process()
    assert idle.phase.code == "S1902M"  # the Barbary States have three units and three centres: nothing to build
    taken = Game.start(idle.variant, seed=bytes(32)).submit("Barbary States", ["F Mor - Waf"]).process().process()
    assert taken.position.owners["WAF"] == "Barbary States"
    assert taken.phase.code == "W1901A"


def test_a_variant_is_named_by_what_differs() -> None:
    """Choices that are the variant's own leave no trace; others stand in its id, in order, and change its digest."""
    plain = find_variant("cline9")
    assert find_variant("cline9[turkey=regular]").digest == plain.digest
    both = find_variant("CLINE9[turkey=fleet-smyrna, strait=closed]")
    assert both.id == "cline9[strait=closed,turkey=fleet-smyrna]"
    assert both.family == plain.id == "cline9"
    assert len({plain.digest, both.digest, find_variant("cline9[strait=closed]").digest}) == 3


def test_a_record_keeps_its_options() -> None:
    """A game begun with options is loaded with them."""
    game = Game.start(find_variant("cline9[turkey=fleet-smyrna]"), seed=bytes(32))
    again = loads(dumps(game))
    assert again.variant.id == game.variant.id
    assert {str(u) for u in again.position.of("Turkey")} == {"F ANK", "A CON", "F SMY"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cline9[turky=regular]", "did you mean turkey"),
        ("cline9[turkey=fleet-smirna]", "did you mean fleet-smyrna"),
        ("standard[turkey=regular]", "has no options"),
        ("clin9[turkey=regular]", "did you mean cline9"),
    ],
)
def test_slips_are_told_with_the_nearest(name: str, said: str) -> None:
    """A mistyped option, choice or name gets the nearest right one."""
    with pytest.raises(NotFound, match=said):
        find_variant(name)


BOARD = """{"format": 1, "name": "B", "provinces": [
 {"id": "A", "name": "Aland", "terrain": "inland", "centre": true, "home": "Red"},
 {"id": "B", "name": "Bland", "terrain": "inland", "centre": true, "home": "Blue"}], "edges": {"army": [["A", "B"]]}}"""
TOML = """format = 1
id = "b"
name = "B"
[victory]
centres = 2
[calendar]
first_year = 1
phases = [{ season = "Spring", kind = "movement" }, { season = "Fall", kind = "retreats", count = true }]
[[powers]]
name = "Red"
units = ["A A"]
[[powers]]
name = "Blue"
[[options]]
name = "o"
says = "An option."
default = "as-it-is"
[options.choices.as-it-is]
[options.choices.other]
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('units = { Grey = ["A A"] }', "no power 'Grey'"),
        ('units = { Red = ["A C"] }', "no place 'C'"),
        ('centre = ["C"]', "names no province: 'C'"),
        ('without = { army = [["A", "C"]] }', "which does not exist"),
        ('without = { fleet = [["A", "B"]] }', "which does not exist"),
        ('rulebook = { double_orders = "perhaps" }', "perhaps"),
        ('colour = "red"', "not known"),
    ],
)
def test_a_choice_must_fit_its_variant(line: str, said: str, tmp_path: Path) -> None:
    """What a choice says of powers, places, steps and rules is checked when it is chosen."""
    (tmp_path / "board.json").write_text(BOARD)
    (tmp_path / "variant.toml").write_text(TOML + line)
    with pytest.raises(BadFile, match=said):
        read_variant(tmp_path, {"o": "other"})


def test_a_choice_may_override_the_rulebook(tmp_path: Path) -> None:
    """Single choices of the rulebook are set over the variant's own."""
    (tmp_path / "board.json").write_text(BOARD)
    (tmp_path / "variant.toml").write_text(TOML + 'rulebook = { double_orders = "last" }')
    assert Rulebook.of(read_variant(tmp_path, {"o": "other"}).rulebook).double_orders == "last"
    assert Rulebook.of(read_variant(tmp_path).rulebook) == Rulebook.of("datc")


# -- who plays, and what the game has --------------------------------------------------------------------------------

CONQUEST = ("England", "Spain", "France", "Portugal", "Holland")


@pytest.mark.parametrize(
    ("chosen", "powers"),
    [
        ("players=2", CONQUEST[:2]),
        ("players=3", CONQUEST[:3]),
        ("players=4", CONQUEST[:4]),
        ("players=5", CONQUEST),
        ("players=4,indians=for-portugal", (*CONQUEST[:3], "Indians")),
        ("indians=for-holland", (*CONQUEST[:4], "Indians")),
        ("indians=for-portugal", (*CONQUEST[:3], "Holland", "Indians")),
        ("indians=sixth", (*CONQUEST, "Indians")),
    ],
)
def test_a_choice_may_take_powers_out(chosen: str, powers: tuple[str, ...]) -> None:
    """Powers not in play own nothing, have no units and win by no number of theirs (CNW-1.a, CNW-I.e)."""
    variant = find_variant(f"conquest2[{chosen}]")
    indians = "Indians" in powers
    assert tuple(power.name for power in variant.powers) == powers
    assert {unit.power for unit in variant.start.units} == {*powers, *(() if indians else ("Neutral",))}
    assert dict(variant.start.owners) == ({"MEX": "Indians", "PER": "Indians"} if indians else {})
    assert variant.victory.of == ({"Indians": 10} if indians else {})
    assert any(mechanic.id == "standing-armies" for mechanic in variant.mechanics) is not indians


@pytest.mark.parametrize("chosen", ["players=3,indians=for-portugal", "players=4,indians=sixth"])
def test_choices_that_do_not_go_together_are_refused(chosen: str) -> None:
    """The Indians come only as a fourth or fifth power in another's place, or as a sixth (CNW-I.e)."""
    with pytest.raises(NotFound, match=r"does not go with players=\d \(it goes with players="):
        find_variant(f"conquest2[{chosen}]")


def test_a_choice_may_add_mechanics() -> None:
    """The army/fleet module is an option of 1000 AD, off unless chosen; with it there is a kind of unit more."""
    plain, module = find_variant("1000ad"), find_variant("1000ad[af_module=yes]")
    assert [m.id for m in module.mechanics] == [*(m.id for m in plain.mechanics), "army-fleet"]
    assert "A/F" in module.board.ways
    assert "A/F" not in plain.board.ways
    assert module.digest != plain.digest


def test_a_choice_may_change_a_mechanic() -> None:
    """An army of Scottomacy takes as many boats with it as was agreed; everything else of the boats stays."""
    carried = {}
    for name in ("scottomacy", "scottomacy[carry_limit=1]", "scottomacy[carry_limit=3]"):
        (boats,) = (mechanic for mechanic in find_variant(name).mechanics if isinstance(mechanic, Boats))
        carried[boats.carry] = replace(boats, carry=2)
    assert set(carried) == {1, 2, 3}
    assert len(set(carried.values())) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('without_powers = ["Gray"]', "takes the power 'Gray' away"),
        ('without_mechanics = ["anarhy"]', "did you mean anarchy"),
        ('mechanics = [{ name = "anarchie" }]', "did you mean anarchy"),
        ("victory = { centers = 1 }", "centres"),
        ("needs = { p = [] }", "at least 1"),
    ],
)
def test_what_a_choice_takes_or_adds_must_be_there(line: str, said: str, tmp_path: Path) -> None:
    """Powers, mechanics and numbers that are not there are told with the nearest right one."""
    (tmp_path / "board.json").write_text(BOARD)
    (tmp_path / "variant.toml").write_text(TOML + line + '\n[[mechanics]]\nname = "anarchy"\n')
    with pytest.raises(BadFile, match=said):
        read_variant(tmp_path, {"o": "other"})


def test_a_choice_may_change_what_wins(tmp_path: Path) -> None:
    """Single numbers of the victory, mechanics and powers change; what the choice does not speak of stays."""
    (tmp_path / "board.json").write_text(BOARD)
    told = 'victory = { centres = 1 }\nwithout_mechanics = ["anarchy"]\nwithout_powers = ["Blue"]\n'
    (tmp_path / "variant.toml").write_text(TOML + told + '[[mechanics]]\nname = "anarchy"\n')
    changed, plain = read_variant(tmp_path, {"o": "other"}), read_variant(tmp_path)
    assert (changed.victory.centres, plain.victory.centres) == (1, 2)
    assert (len(changed.mechanics), len(plain.mechanics)) == (0, 1)
    assert ([p.name for p in changed.powers], [p.name for p in plain.powers]) == (["Red"], ["Red", "Blue"])
    assert dict(changed.start.owners) == {"A": "Red"}


def test_mechanics_may_be_tuned(tmp_path: Path) -> None:
    """Single parameters of a mechanic may be tried with other values; the variant is then another."""
    (tmp_path / "board.json").write_text(BOARD)
    (tmp_path / "variant.toml").write_text(TOML + '[[mechanics]]\nname = "anarchy"\n')
    tuned = read_variant(tmp_path, parameters={"anarchy": {"grace": 3}})
    assert [getattr(mechanic, "grace", None) for mechanic in tuned.mechanics] == [3]
    assert tuned.digest != read_variant(tmp_path).digest
    with pytest.raises(BadFile, match="did you mean anarchy"):
        read_variant(tmp_path, parameters={"anarchie": {"grace": 3}})
    with pytest.raises(BadFile, match="did you mean grace"):
        read_variant(tmp_path, parameters={"anarchy": {"grac": 3}})


# -- a board of two --------------------------------------------------------------------------------------------------


def test_two_variants_may_share_a_board(tmp_path: Path) -> None:
    """The board, and its shapes, are those of the folder beside it that is named."""
    first, second = find_variant("indianomacy"), find_variant("indianomacy2")
    assert (first.board_of, second.board_of) == ("", "indianomacy")
    assert first.board.edges == second.board.edges
    assert shapes_of(second).provinces == shapes_of(first).provinces
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one/board.json").write_text(BOARD)
    (tmp_path / "two/variant.toml").write_text('board = "one"\n' + TOML)
    assert [p.id for p in read_variant(tmp_path / "two").board.provinces] == ["A", "B"]
    (tmp_path / "two/variant.toml").write_text('board = "../one"\n' + TOML)
    with pytest.raises(BadFile, match="board"):
        read_variant(tmp_path / "two")
