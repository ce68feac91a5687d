"""Retreats and adjustments sent ahead: kept for their phase, and then carried out as far as they are possible."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile, OutOfTurn, Unreadable
from gamesmaster.formats.letters import Letter
from gamesmaster.game import Game, SentAhead, dumps, loads, not_kept, report
from gamesmaster.game.ahead import due_orders
from gamesmaster.game.desk import accept, lay_out
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Purpose, Section, SheetLine
from gamesmaster.rules import Cause
from gamesmaster.variant import find_variant

UNITS = {"Germany": ["A TYR", "A BOH"], "Austria": ["A VIE", "A BUD"], "France": ["A PIC"]}
OWNERS = {"Germany": "MUN BER", "Austria": "VIE BUD TRI", "France": "PAR MAR"}
ATTACK = ["A Tyr - Vie", "A Boh S A Tyr - Vie"]
_KINDS = {Purpose.RETREATS: PhaseKind.RETREATS, Purpose.ADJUSTMENTS: PhaseKind.ADJUSTMENTS}


def at(phase: str, **house_rules: object) -> Game:
    """A game in the middle, in which Germany can dislodge the army in Vienna."""
    owned = {centre: power for power, centres in OWNERS.items() for centre in centres.split()}
    rules = {"conditional_orders": "winter_and_retreats", **house_rules}
    start = Game.start(find_variant("standard"), seed=bytes(32), house_rules=rules)
    return replace(start, phase=start.variant.calendar.read(phase), position=Position(units_from(UNITS), owned))


def sheet(game: Game, power: str, **sections: list[str]) -> OrderSheet:
    """A sheet of these sections; a line that begins with ? was refused."""
    made = []
    for name, texts in sections.items():
        purpose, read = Purpose(name), game.rules.notation.read
        kind = _KINDS.get(purpose, game.phase.kind)
        lines = [
            SheetLine(text, 1, what="no province", stored=text)
            if text.startswith("?")
            else SheetLine(text, 1, order=read(text, kind), stored=text)
            for text in texts
        ]
        made.append(Section(purpose, power, tuple(lines)))
    return OrderSheet("text", power, game.phase.kind, tuple(made))


def attacked(**sections: list[str]) -> Game:
    """The game with the attack on Vienna, and a sheet of Austria's."""
    game = at("S1901M").submit("Germany", ATTACK)
    return game.submit("Austria", sheet(game, "Austria", **sections))


class TestSent:
    """What a game keeps of what is sent."""

    def test_kept_apart_from_the_orders(self) -> None:
        """Sections for later phases are kept, in the order written, each order once (CLN-H.h)."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal", "A Vie - Tri", "A Vie - Gal"])
        assert game.orders["Austria"] == ("A Bud H",)
        assert dict(game.ahead) == {"Austria": SentAhead(retreats=("A Vie - Gal", "A Vie - Tri"))}
        assert game.what_if().position == game.submit("Austria", ["A Bud H"]).what_if().position

    def test_a_kind_is_replaced_or_left(self) -> None:
        """A section replaces what was sent of its kind; without one it stays, and an empty one takes it away."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"], adjustments=["Build A Vie"])
        game = game.submit("Austria", ["A Bud - Ser"])
        assert game.ahead["Austria"] == SentAhead(("A Vie - Gal",), ("Build A Vie",))
        game = game.submit("Austria", sheet(game, "Austria", retreats=["A Vie - Tri"]))
        assert (game.orders["Austria"], game.ahead["Austria"].retreats) == (("A Bud - Ser",), ("A Vie - Tri",))
        game = game.submit("Austria", sheet(game, "Austria", now=["A Bud H"], retreats=[]))
        assert (game.orders["Austria"], game.ahead["Austria"]) == (("A Bud H",), SentAhead((), ("Build A Vie",)))
        assert not game.restore_ahead("Austria", SentAhead()).ahead

    def test_what_cannot_be_read_changes_nothing(self) -> None:
        """A section of which no line was understood leaves what was sent before, and the orders, as they are."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"])
        for sent in (sheet(game, "Austria", retreats=["? A Vie - Gla"]), sheet(game, "Austria", now=[]).read_only):
            after = game.submit("Austria", sent)
            assert after.ahead == game.ahead
        assert game.submit("Austria", sheet(game, "Austria", retreats=["? A Vie - Gla"])).orders == game.orders
        assert sheet(game, "Austria", retreats=["? A Vie - Gla"]).read_only.later == ()

    def test_where_house_rules_do_not_allow_it(self) -> None:
        """Without the house rule nothing is kept, and the sheet says which lines were passed over."""
        game = at("S1901M", conditional_orders="none")
        sent = sheet(game, "Austria", now=["A Bud H"], retreats=["A Vie - Gal"])
        assert not game.submit("Austria", sent).ahead
        assert [line.text for line in not_kept(game.house_rules, sent)] == ["A Vie - Gal"]
        assert not_kept(at("S1901M").house_rules, sent) == ()

    def test_what_a_phase_takes(self) -> None:
        """While retreats are due only adjustments are kept, and in Winter nothing."""
        for phase, kept in (("F1901R", SentAhead((), ("Build A Vie",))), ("W1901A", None)):
            game = at(phase)
            sent = sheet(game, "Austria", retreats=["A Vie - Gal"], adjustments=["Build A Vie"])
            assert game.submit("Austria", sent).ahead.get("Austria") == kept
            assert len(not_kept(game.house_rules, sent)) == (1 if kept else 2)

    def test_bounds(self) -> None:
        """What is sent ahead counts for the size of a set."""
        game = at("S1901M")
        with pytest.raises(Unreadable, match="more than 256 orders"):
            game.submit("Austria", sheet(game, "Austria", retreats=["A Vie - Gal"] * 300))

    def test_cline_keeps_them(self) -> None:
        """Cline's house rules and the postal preset keep them, the standard ones do not (CLN-H.h)."""
        rules = [find_variant("cline9").house_rules, "postal-1972", "standard"]
        games = [Game.start(find_variant("cline9"), seed=bytes(32), house_rules=house) for house in rules]
        sent = sheet(games[0], "Russia", retreats=["A War - Gal"])
        assert [bool(game.submit("Russia", sent).ahead) for game in games] == [True, True, False]

    def test_at_the_gamesmasters_desk(self) -> None:
        """A letter with nothing but retreats is a set, which takes the place of none."""
        game = at("S1901M")
        letters = [Letter("A Vie H\nA Bud H"), Letter("Retreats: A Vie - Gal")]
        desk = lay_out(game, letters, power="Austria")
        assert [one.replaced for one in desk.sets] == [False, False]
        for one in desk.sets:
            game, _ = accept(game, one)
        assert (game.orders["Austria"], game.ahead["Austria"].retreats) == (("A Vie H", "A Bud H"), ("A Vie - Gal",))


class TestCarriedOut:
    """What becomes of it when its phase comes."""

    def test_the_first_possible_retreat_counts(self) -> None:
        """Of several retreats for a unit the first that is possible becomes its order; it can still be changed."""
        game = attacked(now=["A Bud - Tri"], retreats=["A Vie - Tyr", "A Vie - Tri", "A Vie - Gal", "A Bud - Ser"])
        game = game.process()
        assert (game.phase.code, dict(game.orders)) == ("S1901R", {"Austria": ("A Vie - Gal",)})
        assert (game.due_orders[0].orders, game.due_orders[0].missing) == (("A Vie - Gal",), ())
        assert not game.ahead
        assert "A GAL" in [str(unit) for unit in game.process().position.of("Austria")]
        assert "A GAL" not in [str(unit) for unit in game.submit("Austria", ["A Vie D"]).process().position.units]

    def test_no_retreat_is_possible(self) -> None:
        """Where none is possible there is no order, and it is told which unit lacks one, and why none counts."""
        (due,) = (game := attacked(now=["A Bud - Tri"], retreats=["A Vie - Tyr", "A Vie - Tri"]).process()).due_orders
        assert (dict(game.orders), due.orders) == ({}, ())
        assert [(ruling.given, ruling.cause) for ruling in due.rejected] == [
            ("A Vie - Tyr", Cause.NOT_OPEN), ("A Vie - Tri", Cause.NOT_OPEN),
        ]  # fmt: skip
        assert [str(warning) for warning in due.missing] == ["A Vie has no order and will disband"]

    def test_two_units_do_not_collide(self) -> None:
        """A retreat that would meet another of the same power is not the first possible one."""
        units = {"Austria": ["A VIE", "A BUD"], "Germany": ["A TYR", "A BOH", "A GAL", "A RUM"]}
        game = replace(at("S1901M"), position=Position(units_from(units), {"VIE": "Austria", "MUN": "Germany"}))
        game = game.submit("Germany", ["A Tyr - Vie", "A Boh S A Tyr - Vie", "A Gal - Bud", "A Rum S A Gal - Bud"])
        sent = sheet(game, "Austria", now=[], retreats=["A Vie - Tri", "A Bud - Tri", "A Bud - Ser"])
        assert game.submit("Austria", sent).process().orders["Austria"] == ("A Vie - Tri", "A Bud - Ser")

    def test_retreats_go_with_their_phase(self) -> None:
        """Retreats that nobody needs are gone when the next moves come."""
        game = at("S1901M")
        game = game.submit("Austria", sheet(game, "Austria", now=["A Bud H"], retreats=["A Vie - Gal"])).process()
        assert (game.phase.code, dict(game.ahead), dict(game.orders)) == ("F1901M", {}, {})

    def test_adjustments_wait_for_winter(self) -> None:
        """Adjustments wait through retreats and moves; then as many count as are due, the first possible ones."""
        game = attacked(adjustments=["Build A Bud", "Build A Tri", "Build F Tri"], retreats=["A Vie - Gal"])
        game = game.process()
        assert (game.phase.code, game.ahead["Austria"]) == (
            "S1901R", SentAhead((), ("Build A Bud", "Build A Tri", "Build F Tri")),
        )  # fmt: skip
        game = game.process()
        assert (game.phase.code, game.ahead["Austria"].adjustments[0]) == ("F1901M", "Build A Bud")
        position = replace(game.position, owners={**game.position.owners, "VIE": "Austria", "TRI": "Austria"})
        game = replace(game, position=position).submit("Germany", ["A Vie - Tyr"]).process()
        assert (game.phase.code, dict(game.ahead)) == ("W1901A", {})
        assert game.orders["Austria"] == ("Build A Tri",)

    def test_removals(self) -> None:
        """Removals count in the order written, as many as are due; a build among them does not."""
        units = {**UNITS, "Austria": ["A GAL", "A SIL"]}
        game = replace(at("F1901M"), position=Position(units_from(units), {"BUD": "Austria", "MUN": "Germany"}))
        sent = sheet(game, "Austria", adjustments=["Build A Bud", "Remove A Sil", "Remove A Gal"])
        game = game.submit("Austria", sent).process()
        assert (game.phase.code, game.orders["Austria"]) == ("W1901A", ("Remove A Sil",))

    def test_what_is_left_open_is_told(self) -> None:
        """A build that is due and for which nothing was possible is told, with the reason."""
        game = at("F1901M")
        game = game.submit("France", sheet(game, "France", adjustments=["Build A Bre"])).process()
        (due,) = game.due_orders
        assert (game.phase.code, dict(game.orders)) == ("W1901A", {})
        assert [ruling.given for ruling in due.rejected] == ["Build A Bre"]
        assert due.missing

    def test_a_winter_that_is_skipped(self) -> None:
        """Adjustments sent for a Winter in which nobody has anything to do do not wait for the next one."""
        game = at("F1901M")
        owners = {"VIE": "Austria", "BUD": "Austria", "MUN": "Germany", "BER": "Germany", "PAR": "France"}
        game = replace(game, position=Position(units_from(UNITS), owners))
        game = game.submit("France", sheet(game, "France", adjustments=["Build A Par"])).process()
        assert (game.phase.code, dict(game.ahead)) == ("S1902M", {})

    def test_a_mechanics_own_orders(self) -> None:
        """Orders of a mechanic's own count by the same measure: the first home centre that may be named is named."""
        game = Game.start(find_variant("conquest2"), seed=bytes(32))
        position = Position(units_from({"England": ["F ATL"]}), dict.fromkeys(["VIR", "NOV", "DEL"], "England"))
        game = replace(game, phase=game.variant.calendar.read("W1590A"), position=position)
        sent = SentAhead(adjustments=("Designate Bah", "Designate Nov", "Designate Vir", "Build F Atl"))
        (due,) = due_orders(game.state, {"England": sent})
        assert due.orders == ("Designate Nov", "Build F Atl")

    def test_disorder_takes_it_away(self) -> None:
        """With the player goes what was sent ahead, and does not come back; of who is in disorder nothing counts."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"], adjustments=["Build A Vie"])
        gone = game.set_disorder("Austria")
        assert not gone.ahead
        assert not gone.set_disorder("Austria", gone=False).ahead
        with pytest.raises(OutOfTurn):
            gone.restore_ahead("Austria", SentAhead(("A Vie - Gal",)))

    def test_the_end_of_a_game(self) -> None:
        """When a game is over nothing waits any more."""
        units = {"Austria": ["A VIE"], "Germany": ["A MUN"]}
        owners = {p.province: "Austria" for p in find_variant("standard").board.locations if p.coast == ""}
        centres = [c for c in owners if find_variant("standard").board.province(c).centre][:18]
        game = replace(at("F1901M"), position=Position(units_from(units), dict.fromkeys(centres, "Austria")))
        game = game.submit("Austria", sheet(game, "Austria", adjustments=["Build A Bud"])).process()
        assert game.outcome
        assert (dict(game.ahead), dict(game.orders)) == ({}, {})


class TestRecord:
    """What is written of it."""

    def test_rollback(self) -> None:
        """A phase taken back has again what was sent ahead then; the one being played keeps what it has."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"], adjustments=["Build A Vie"])
        assert game.rollback("S1901M") == game
        later = game.process().process()
        assert later.rollback("S1901M") == game
        assert later.rollback("S1901M").process().orders == game.process().orders

    def test_saved(self) -> None:
        """The record keeps what waits, and what had been sent with each phase; an old one has nothing of it."""
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"], adjustments=["Build A Vie"]).process()
        again = loads(dumps(game), verify=False)
        assert (again, again.records, again.due_orders) == (game, game.records, game.due_orders)
        data = json.loads(dumps(game))
        assert data["now"]["ahead"] == {"Austria": {"adjustments": ["Build A Vie"]}}
        assert data["phases"][0].pop("ahead") == {
            "Austria": {"retreats": ["A Vie - Gal"], "adjustments": ["Build A Vie"]}
        }
        del data["now"]["ahead"]
        assert not loads(json.dumps(data), verify=False).ahead

    @pytest.mark.parametrize(
        ("ahead", "path"),
        [
            ([], "now.ahead"), ({"Nobody": {}}, "now.ahead"), ({"France": []}, "ahead.France"),
            ({"France": {"moves": []}}, "ahead.France"), ({"France": {"retreats": ["a\nb"]}}, "ahead.France.retreats"),
        ],
    )  # fmt: skip
    def test_what_no_record_says(self, ahead: object, path: str) -> None:
        """Anything else there is refused with its place."""
        data = json.loads(dumps(at("S1901M")))
        data["now"]["ahead"] = ahead
        with pytest.raises(BadFile, match=path):
            loads(json.dumps(data), verify=False)

    def test_it_is_a_secret(self) -> None:
        """Reports tell nothing of it, nor does what prints a game."""
        bare = attacked(now=["A Bud H"])
        game = attacked(now=["A Bud H"], retreats=["A Vie - Gal"], adjustments=["Build A Vie"])
        assert repr(game) == repr(bare)
        assert game.status == bare.status
        assert report(game.process()) == report(bare.process())
