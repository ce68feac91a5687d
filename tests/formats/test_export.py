"""Games and variants in the forms of other programs come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import gamesmaster as gm
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.formats import Exported, export, import_games, import_variants
from gamesmaster.game import Game, dumps, loads
from gamesmaster.variant import Variant, find_variant, read_variant

DATA = Path(__file__).parents[1] / "data"
STRAIT = DATA / "imports/strait.map"
VARIANTS = {"dotmap": "strait.map", "dvar": "strait.dvar.json", "jdip": "strait_jdip/variants.xml"}


def strait(folder: Path, *lines: str) -> Variant:
    """The Strait, with these lines behind its map."""
    text = STRAIT.read_text() + "".join(f"{line}\n" for line in lines)
    (folder / "strait.map").write_text(text)
    (folder / "strait.geography").write_bytes((STRAIT.parent / "strait.geography").read_bytes())
    return import_variants(folder / "strait.map")[0].variant


def sketch(variant: Variant) -> dict[str, object]:
    """What every form of a variant holds."""
    return {
        "provinces": [(p.id, p.name, p.terrain, p.centre, p.coasts, p.convoy) for p in variant.board.provinces],
        "edges": {edge[:3] for edge in variant.board.edges},
        "powers": [(p.name, set(p.homes), set(p.units)) for p in variant.powers],
        "owners": dict(variant.start.owners),
        "calendar": [(s.season, s.kind, s.years, s.count) for s in variant.calendar.slots],
        "first": variant.calendar.first.code,
        "rules": (variant.victory, variant.build_sites),
    }


def played() -> Game:
    """A game of one year, with a fight, a refused order, retreats and builds."""
    game = Game.start(find_variant("standard"), seed=bytes(32), players={"France": "somebody"})
    moves = {
        "France": ["A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mao"],
        "Germany": ["A Mun - Bur", "nonsense"],
        "England": ["F Lon - Nth"],
    }
    for power, orders in moves.items():
        game = game.submit(power, orders)
    return game.process().submit("France", ["A Bur - Mun", "A Mar - Spa", "F Mao - Por"]).process()


@pytest.mark.parametrize("form", VARIANTS)
@pytest.mark.parametrize("lines", [(), ("RULE BUILD_ANY", "AMEND NSE ABUTS -SSE", "VICTORY 4")])
def test_a_variant_comes_back_from_each_form(form: str, lines: tuple[str, ...], tmp_path: Path) -> None:
    """Places, borders, coasts, powers, start, calendar, victory and builds are the same; our own folder is too."""
    variant = strait(tmp_path, *lines)
    made = export(variant, form)
    made.write(tmp_path / "out")
    (back,) = import_variants(tmp_path / "out" / VARIANTS[form])
    assert sketch(back.variant) == sketch(variant)
    own = read_variant(tmp_path / "out/strait")
    assert (own.digest, own.board) == (variant.digest, variant.board)


@pytest.mark.parametrize("form", ["dotmap", "dvar"])
def test_turns_of_ten_years_and_idle_armies_come_back(form: str, tmp_path: Path) -> None:
    """A calendar of years, and a power that nobody plays, survive both forms that can hold them."""
    ten = ["FLOW NEWYEAR:5", "FLOW A.D.:MOVEMENT,RETREATS", "FLOW IFYEARDIV:10", "FLOW A.D.:ADJUSTMENTS"]
    variant = strait(tmp_path, "BEGIN A.D. 1425 MOVEMENT", *ten, "DUMMY BLUES")
    made = export(variant, form)
    made.write(tmp_path / "out")
    (back,) = import_variants(tmp_path / "out" / VARIANTS[form])
    assert sketch(back.variant) == sketch(variant)
    assert back.variant.mechanics == variant.mechanics
    assert any("calendar" in text for text in export(variant, "jdip").lost)


def test_what_is_lost_is_said() -> None:
    """Whatever the form does not hold is named, and units that it does not know are refused."""
    lost = "; ".join(export(find_variant("cline9"), "dotmap").lost)
    for words in ("options: turkey", "choices of the rulebook", "no convoy crosses: IND - WATL", "IRAQ is IRQ"):
        assert words in lost
    with pytest.raises(GamesmasterError, match="armies and fleets only; Scottomacy has"):
        export(find_variant("scottomacy"), "dvar")


def test_a_drawing_goes_with_a_document() -> None:
    """Each province has a path by its id in the layer that Diplicity reads, each coast and unit a place."""
    made = export(find_variant("standard"), "dvar")
    drawing = ElementTree.fromstring(made.files["standard.svg"])
    layers = {layer.get("id"): {child.get("id") for child in layer} for layer in drawing}
    document = json.loads(made.files["standard.dvar.json"])
    assert layers["provinces"] == {province["id"] for province in document["provinces"]}
    assert layers["named-coasts"] == {coast["id"] for coast in document["namedCoasts"]}
    assert layers["unit-positions"] >= layers["provinces"] | layers["named-coasts"]
    assert list(layers) == [
        "background", "provinces", "named-coasts", "province-names", "borders", "foreground", "unit-positions",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["saved-game", "json-lines"])
def test_a_game_comes_back_from_each_form(form: str, tmp_path: Path) -> None:
    """Every phase is adjudicated alike from the file, and so it is from our own form beside it."""
    game = played()
    made = export(game, form, name="mine")
    made.write(tmp_path)
    for name in made.files:
        (back,) = import_games(tmp_path / name)
        assert (back.name, back.differences) == ("mine", {})
        assert [record.phase for record in back.game.records] == [record.phase for record in game.records]
        assert {*map(str, back.game.position.units)} == {*map(str, game.position.units)}
        assert back.game.position.owners == game.position.owners


def test_a_game_that_has_not_begun_is_written(tmp_path: Path) -> None:
    """Its first phase is all that there is."""
    made = export(Game.start(find_variant("standard"), seed=bytes(32)), "saved-game")
    made.write(tmp_path)
    for name in made.files:
        (back,) = import_games(tmp_path / name)
        assert (back.game.records, back.game.phase.code) == ((), "S1901M")


def test_a_saved_game_says_what_the_package_says() -> None:
    """Orders are in its notation, each with its result; a refused text is not an order; builds are counted."""
    first, *_, last = saved(export(played(), "saved-game"))["phases"]
    assert first["orders"]["FRANCE"] == ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
    assert first["orders"]["GERMANY"] == ["A MUN - BUR"]
    assert (first["results"]["A PAR"], first["results"]["A MUN"]) == ([], ["bounce"])
    assert (last["name"], last["state"]["builds"]["FRANCE"]["count"]) == ("W1901A", 2)
    assert {"BRE", "MAR", "PAR"} == {*last["state"]["builds"]["FRANCE"]["homes"]}
    assert "SPA" in last["state"]["influence"]["FRANCE"]


def saved(made: Exported) -> Any:
    """The data of a saved game."""
    return json.loads(made.files["game.json"])


def test_a_game_that_goes_on_keeps_its_secrets() -> None:
    """Nothing of the seed, the players and orders of the phase being played is in any file but the viewer's own."""
    game = played().submit("France", ["A Par B"]).submit("Germany", ["A Kie B"])
    for form in ("saved-game", "json-lines"):
        for viewer, seen in (("", []), ("france", ["A PAR B"])):
            made = export(game, form, viewer=viewer)
            whole = b"".join(made.files.values()).decode()
            assert game.seed.hex() not in whole
            assert "somebody" not in whole
            assert "KIE B" not in whole.upper()
            orders = json.loads(made.files[min(made.files)])["phases"][-1]["orders"] if form == "saved-game" else {}
            assert orders.get("FRANCE", seen) == seen
            assert ("A PAR B" in whole.upper()) is bool(seen)
    with pytest.raises(NotFound, match="no power 'Spain'"):
        export(game, "saved-game", viewer="Spain")


def test_a_game_that_is_over_is_written_whole(tmp_path: Path) -> None:
    """Its record lies beside it, and the saved game says that it is over."""
    game = played()
    for power in game.survivors:
        game = game.vote_draw(power)
    made = export(game, "saved-game")
    assert loads(made.files["game.record.json"]) == game
    assert saved(made)["phases"][-1]["name"] == "COMPLETED"
    assert dumps(loads(made.files["game.record.json"])) == dumps(game)


def test_a_form_that_does_not_fit_is_refused() -> None:
    """Forms that are unknown, or hold the other thing, are named with those that would do."""
    variant = gm.find_variant("standard")
    with pytest.raises(NotFound, match="did you mean dotmap"):
        export(variant, "dot-map")
    with pytest.raises(GamesmasterError, match="saved-game holds games only"):
        export(variant, "saved-game")
    with pytest.raises(GamesmasterError, match="one of saved-game, json-lines"):
        export(played(), "dvar")
    with pytest.raises(TypeError, match="a Game or a Variant"):
        export("standard", "dvar")  # type: ignore[arg-type]
