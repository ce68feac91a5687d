"""The course of a game: from phase to phase, to its end, and back."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.errors import BadOrder, GamesmasterError, NotFound, OutOfTurn, Unreadable
from gamesmaster.game import EventKind, Game, Outcome, Termination, dumps
from gamesmaster.rules import Cause, Result, Rulebook
from gamesmaster.variant import Victory, find_variant

from .conftest import RECORDED, Builder, plain, replayed, units

SEED = bytes(range(32))
NAMES = ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus"]
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


class TestStart:
    """How a game begins."""

    def test_opening(self, game: Game) -> None:
        """A game begins with the variant's first phase and position, nobody's orders, and all powers alive (STD-1)."""
        assert game.phase.code == "S1901M"
        assert game.position is game.variant.start
        assert game.survivors == POWERS
        assert (game.records, dict(game.orders), dict(game.votes), game.outcome) == ((), {}, {}, None)

    def test_powers_are_dealt_by_lot(self) -> None:
        """Every player gets one power, drawn from the seed whatever the order of the names (STD-1.a)."""
        variant = find_variant("standard")
        game = Game.start(variant, seed=SEED, players=NAMES)
        assert sorted(game.players.values()) == NAMES
        assert tuple(game.players) == POWERS
        assert Game.start(variant, seed=SEED, players=NAMES[::-1]).players == game.players
        assert Game.start(variant, seed=bytes(32), players=NAMES).players != game.players
        assert game.dice.verify(game.dice.commitment, game.throws) == []
        assert [throw.sides for throw in game.throws] == [7, 6, 5, 4, 3, 2, 1]

    def test_powers_may_be_given(self) -> None:
        """A table of powers and players is taken as it is, in any case of letters; an unknown power is refused."""
        variant = find_variant("standard")
        assert Game.start(variant, seed=SEED, players={"france": "Ann"}).players == {"France": "Ann"}
        with pytest.raises(NotFound, match="did you mean France"):
            Game.start(variant, seed=SEED, players={"Frence": "Ann"})

    def test_refused(self) -> None:
        """A seed that can be guessed, a wrong number of players, and names that cannot be printed are refused."""
        variant = find_variant("standard")
        with pytest.raises(GamesmasterError, match="at least 32 bytes"):
            Game.start(variant, seed=b"short")
        with pytest.raises(GamesmasterError, match="7 powers cannot be dealt to 6"):
            Game.start(variant, seed=SEED, players=NAMES[:6])
        for name in ("Ann\nBob", "\ud800", "A" * 101):
            with pytest.raises(GamesmasterError, match="cannot be a player's name"):
                Game.start(variant, seed=SEED, players={"France": name})

    def test_rulebook(self) -> None:
        """The variant's rulebook is in force unless another is chosen (STD-11.c)."""
        variant = find_variant("standard")
        assert Game.start(variant, seed=SEED).rulebook == Rulebook()
        assert Game.start(variant, seed=SEED, rulebook="1971").rulebook == Rulebook.of("1971")

    def test_repr_keeps_secrets(self, game: Game) -> None:
        """What a log may show of a game names no order and no seed."""
        game = game.submit("France", "A Par - Bur").vote_draw("France")
        assert repr(game) == "<Game standard S1901M>"


class TestOrders:
    """Orders coming in."""

    def test_a_later_set_replaces_an_earlier_one(self, game: Game) -> None:
        """A later set replaces the earlier one whole (STD-4.g); the game it was given to is unchanged."""
        first = game.submit("France", "A Par - Bur; A Mar H")
        second = first.submit("france", ["F Bre - Mao"])
        assert first.orders == {"France": ("A Par - Bur", "A Mar H")}
        assert second.orders == {"France": ("F Bre - Mao",)}
        assert game.orders == {}

    def test_an_empty_set_is_a_set(self, game: Game) -> None:
        """A power may send an empty set, which takes back what it sent before."""
        assert game.submit("France", "A Par H").submit("France", "").orders == {"France": ()}

    @pytest.mark.parametrize(
        ("choice", "amend", "amended"),
        [
            ("replaces_unless_amending", None, False),
            ("replaces_unless_amending", True, True),
            ("amends_unless_replacing", None, True),
            ("amends_unless_replacing", False, False),
            ("amends", False, True),
            ("replaces", True, False),
        ],
    )
    def test_amending(self, choice: str, amend: bool | None, amended: bool) -> None:
        """Whether a later set amends or replaces is the rulebook's choice (DATC 4.D.1)."""
        game = Game.start(find_variant("standard"), seed=SEED, rulebook={"later_set": choice})
        game = game.submit("France", "A Par - Bur; A Mar S A Par - Bur; nonsense")
        game = game.submit("France", "A Paris - Picardy", amend=amend)
        kept = ("A Mar S A Par - Bur", "nonsense") if amended else ()
        assert game.orders["France"] == (*kept, "A Paris - Picardy")

    def test_orders_for_another_phase_are_refused(self, game: Game) -> None:
        """An order stamped with another phase is never carried out in this one."""
        with pytest.raises(OutOfTurn, match=r"F1901M is not being played \(it is S1901M\)"):
            game.submit("France", "A Par - Bur", phase="F1901M")
        later = game.submit("France", "A Par - Bur", phase="Spring 1901").process()
        with pytest.raises(OutOfTurn, match="it is F1901M"):
            later.submit("France", "A Bur - Mun", phase="s1901m")

    def test_unknown_powers_are_refused(self, game: Game) -> None:
        """Orders of a power nobody knows are refused with the nearest name."""
        with pytest.raises(NotFound, match="did you mean Turkey"):
            game.submit("Turky", "A Con H")

    def test_orders_of_another_power_are_refused(self, game: Game) -> None:
        """Nobody writes another player's orders (STD-4.h): the line is named."""
        with pytest.raises(Unreadable, match=r"line 3.*orders for Germany in a set of France"):
            game.submit("France", "A Par H\nGermany:\nA Mun H")

    def test_unreadable_orders_are_kept_and_ruled(self, game: Game) -> None:
        """What cannot be read hinders nothing else and gets a ruling with the reason (STD-4.f)."""
        game = game.submit("France", "A Par - Xyzzy; A Mar - Spa")
        rulings = {r.given: r for r in game.what_if().rulings}
        assert rulings["A Mar - Spa"].result is Result.SUCCEEDS
        assert rulings["A Par - Xyzzy"].cause is Cause.UNREADABLE
        assert game.process().records[0].orders == {"France": ("A Par - Xyzzy", "A Mar - Spa")}

    @pytest.mark.parametrize(
        ("orders", "complaint"),
        [
            ("A Par H;" * 257, "more than 256 orders"),
            ("A Par H\n" * 10_000, "more than 16,384 bytes"),
            ("A" * 1_000_000, "more than 16,384 bytes"),
            ("A Par \ud800", "surrogate"),
        ],
    )
    def test_hostile_sets_are_refused(self, game: Game, orders: str, complaint: str) -> None:
        """A set that would swell or spoil the record is refused."""
        with pytest.raises(BadOrder, match=complaint):
            game.submit("France", orders)


class TestPhases:
    """From one phase to the next."""

    def test_empty_phases_are_skipped(self, game: Game) -> None:
        """If everybody holds there are no retreats and no adjustments: S1901M, F1901M, S1902M (STD-3.a)."""
        later = game.process().process()
        assert [record.phase.code for record in later.records] == ["S1901M", "F1901M"]
        assert later.phase.code == "S1902M"
        assert later.position.units == game.position.units

    def test_owners_change_after_fall_only(self, game: Game) -> None:
        """What happens in Spring changes no owner; after Fall a centre belongs to the unit in it (STD-10.a)."""
        spring = game.submit("France", "A Mar - Spa").process()
        assert "SPA" not in spring.position.owners
        assert spring.records[0].events == ()
        fall = spring.process()
        assert fall.position.owners["SPA"] == "France"
        assert [(e.kind, e.power, e.province, e.of) for e in fall.records[1].events] == [("takes", "France", "SPA", "")]
        assert fall.phase.code == "W1901A"

    def test_owners_are_counted_after_the_retreats(self, standing: Builder) -> None:
        """A unit that retreats into a centre in Fall takes it (STD-10.a)."""
        units = {"France": ["A MUN", "A RUH"], "Germany": ["A KIE"]}
        game = standing("F1903M", units, {"France": "PAR MUN", "Germany": "KIE BER HOL"})
        game = game.submit("France", "A Mun - Kie; A Ruh S A Mun - Kie").process()
        assert (game.phase.code, game.records[0].events) == ("F1903R", ())
        game = game.submit("Germany", "A Kie - Den").process()
        assert {e.province: e.power for e in game.records[1].events} == {"KIE": "France", "DEN": "Germany"}

    def test_a_unit_with_nowhere_to_go_needs_no_phase(self, standing: Builder) -> None:
        """If no dislodged unit has a place to go they disband and the retreat phase is skipped (STD-9.e)."""
        units = {"France": ["A RUH", "A BUR", "A TYR", "A BOH", "A SIL", "A KIE", "A BER"], "Germany": ["A MUN"]}
        game = standing("S1903M", units, {"France": "PAR", "Germany": "MUN"})
        game = game.submit("France", "A Bur - Mun; A Ruh S A Bur - Mun").process()
        assert game.phase.code == "F1903M"
        assert game.position.dislodged == ()
        assert [(e.kind, e.power, e.province) for e in game.records[0].events] == [("destroyed", "Germany", "MUN")]

    def test_elimination(self, standing: Builder) -> None:
        """A power with neither centres nor units is out, is told so once, and sends no more orders (STD-2.c)."""
        units = {"France": ["A RUH", "A PAR"], "Germany": ["A SIL"]}
        owners = {"France": "PAR", "Germany": "KIE", "Italy": "ROM"}
        game = standing("F1903M", units, owners).submit("France", "A Ruh - Kie").process()
        assert "Germany" in game.survivors  # without centres, but not yet without a unit
        game = game.process()
        assert game.survivors == ("France", "Italy")
        assert [(e.kind, e.power) for e in game.records[-1].events] == [("eliminated", "Germany")]
        with pytest.raises(OutOfTurn, match="Germany is out"):
            game.submit("Germany", "A Sil H")
        assert game.process().records[-1].events == ()

    def test_a_phase_is_processed_once(self, game: Game) -> None:
        """A deadline that names its phase cannot fall twice."""
        later = game.process(phase="S1901M")
        with pytest.raises(OutOfTurn, match="S1901M is not being played"):
            later.process(phase="S1901M")

    def test_the_same_orders_give_the_same_bytes(self, england: Game) -> None:
        """A game played again from the same start and orders has the same record, to the byte."""
        assert dumps(replayed()) == dumps(england)


class TestEnd:
    """How a game ends."""

    SEVENTEEN = "BUD TRI VIE EDI LON LVP BRE MAR PAR BER KIE ROM VEN MOS SEV STP WAR"

    def test_victory(self, standing: Builder) -> None:
        """A power that controls 18 centres when the owners are settled wins, in Fall and not before (STD-2.a)."""
        units = {"France": ["A BUR", "A PAR"], "Germany": ["A RUH"]}
        spring = (
            standing("S1907M", units, {"France": self.SEVENTEEN, "Germany": "MUN"})
            .submit("France", "A Bur - Mun")
            .process()
        )
        assert spring.outcome is None
        fall = spring.process()
        assert fall.outcome == Outcome(Termination.VICTORY, ("France",), "F1907M")
        assert fall.outcome.shares == {"France": 1}
        assert fall.status == ()

    def test_a_tie_goes_on(self, standing: Builder) -> None:
        """Of two powers that reach the line together neither wins until one has more (STD-2.a)."""
        variant = replace(find_variant("standard"), victory=Victory(2))
        units = {"France": ["A PAR", "A BUR"], "Germany": ["A BER"]}
        game = standing("F1907M", units, {"France": "PAR MAR", "Germany": "KIE BER"}, variant).process()
        assert (game.outcome, game.phase.code) == (None, "W1907A")
        assert [(e.kind, e.power) for e in game.records[0].events] == [("tied", "France"), ("tied", "Germany")]
        ahead = standing("F1907M", units, {"France": "PAR MAR BRE", "Germany": "KIE BER"}, variant).process()
        assert ahead.outcome == Outcome(Termination.VICTORY, ("France",), "F1907M")

    @pytest.mark.parametrize(("count", "winner"), [("units", "Germany"), ("either", "France"), ("centres", "France")])
    def test_what_is_counted(self, standing: Builder, count: Any, winner: str) -> None:
        """Pieces are counted after the Winter adjustment, centres before it; either may do (STD-2.a)."""
        variant = replace(find_variant("standard"), victory=Victory(3, count))
        units = {"France": ["A PAR"], "Germany": ["A SIL", "A PRU"]}
        owners = {"France": "PAR BEL POR", "Germany": "KIE BER MUN" if count == "units" else "KIE BER"}
        game = standing("F1907M", units, owners, variant).process()
        if count == "units":
            assert (game.outcome, game.phase.code) == (None, "W1907A")
            game = game.submit("Germany", "Build A Kie").process()
        assert game.outcome
        assert game.outcome.winners == (winner,)

    def test_draw(self, game: Game) -> None:
        """The game ends when every survivor agrees, not before; all share equally (STD-2.b)."""
        for power in POWERS[:-1]:
            game = game.vote_draw(power)
        assert game.outcome is None
        over = game.vote_draw("turkey")
        assert over.outcome == Outcome(Termination.DRAW, POWERS, "S1901M")
        assert sum(over.outcome.shares.values()) == 1
        assert game.vote_draw("France", yes=False).vote_draw("Turkey").outcome is None

    def test_votes_are_for_one_phase(self, game: Game) -> None:
        """A vote lapses when the phase is over."""
        for power in POWERS[:-1]:
            game = game.vote_draw(power)
        assert game.process().vote_draw("Turkey").outcome is None

    def test_concession(self, game: Game) -> None:
        """All the others may agree that one wins; a vote for a draw and one to concede do not add up."""
        for power in ("Austria", "England", "Germany", "Italy", "Russia"):
            game = game.concede(power, "France")
        assert game.vote_draw("Turkey").outcome is None
        assert game.concede("Turkey", "France").outcome == Outcome(Termination.CONCESSION, ("France",), "S1901M")
        with pytest.raises(OutOfTurn, match="itself"):
            game.concede("France", "France")

    def test_powers_in_disorder_are_not_asked(self, game: Game) -> None:
        """A power whose player is gone cannot stop the others from agreeing, but shares what all survivors share."""
        game = game.set_disorder("Turkey")
        for power in POWERS[:-1]:
            game = game.vote_draw(power)
        assert game.outcome
        assert game.outcome.winners == POWERS

    def test_nothing_is_done_to_a_game_that_is_over(self, england: Game) -> None:
        """After the end orders, votes and processing are refused."""
        attempts: tuple[Callable[[], Game], ...] = (
            lambda: england.submit("France", "A Par H"),
            lambda: england.process(),
            lambda: england.vote_draw("England"),
            lambda: england.concede("Italy", "England"),
            lambda: england.set_disorder("Italy"),
            lambda: replace(england, position=england.what_if().position),
        )
        for attempt in attempts:
            with pytest.raises(OutOfTurn, match="the game is over: England won"):
                attempt()


class TestDisorder:
    """Powers whose player is gone."""

    def test_units_hold(self, game: Game) -> None:
        """A power in civil disorder holds; its orders and its vote are dropped, and it can send none (STD-10.h)."""
        game = game.submit("France", "A Par - Bur").vote_draw("France").set_disorder("France")
        assert (dict(game.orders), dict(game.votes)) == ({}, {})
        with pytest.raises(OutOfTurn, match="France is in civil disorder"):
            game.submit("France", "A Par - Bur")
        later = game.process()
        assert units(later.position)["France"] == ["A MAR", "A PAR", "F BRE"]
        assert later.records[0].disorder == {"France"}
        assert {r.cause for r in game.what_if().rulings if r.power == "France"} == {Cause.DISORDER}

    def test_somebody_takes_over(self, game: Game) -> None:
        """A power that has a player again sends orders again."""
        game = game.set_disorder("France").process().set_disorder("France", gone=False)
        assert game.submit("France", "A Par - Bur").orders == {"France": ("A Par - Bur",)}


class TestLookingBackAndAhead:
    """Rollback and what-if."""

    def test_there_and_back(self, england: Game) -> None:
        """A phase rolled back has its orders again, and processed again gives the same record to the byte."""
        back = england.rollback("F1905M")
        assert (back.phase.code, back.outcome) == ("F1905M", None)
        assert back.orders == next(r.orders for r in england.records if r.phase.code == "F1905M")
        again = back.process()
        assert dumps(again) == dumps(replace(england.rollback(again.phase.code), orders={}))
        assert again.process().records[-1].orders == {}

    def test_unknown_phases(self, game: Game) -> None:
        """A phase that was not played, and one that is none, are refused."""
        game = game.process()
        with pytest.raises(NotFound, match="S1901R was not played"):
            game.rollback("S1901R")
        with pytest.raises(NotFound, match="no phase"):
            game.rollback("X1901M")

    def test_a_victory_is_not_played_on(self, england: Game) -> None:
        """After a victory the next phase is none to go back to; the last one is."""
        with pytest.raises(NotFound, match="W1910A was not played"):
            england.rollback("W1910A")
        assert england.rollback("F1910R").outcome is None

    def test_an_agreement_is_taken_back(self, game: Game) -> None:
        """Rolling back to the phase in which a game was ended by agreement opens it again, without the votes."""
        game = game.submit("France", "A Par H")
        for power in POWERS:
            game = game.vote_draw(power)
        back = game.rollback("S1901M")
        assert (back.outcome, dict(back.votes), dict(back.orders)) == (None, {}, {"France": ("A Par H",)})

    def test_what_if_writes_nothing(self, game: Game) -> None:
        """A look ahead takes the orders received, others in their place where named, and changes nothing."""
        game = game.submit("France", "A Par - Bur").submit("Germany", "A Mun - Bur")
        before = dumps(game)
        assert units(game.what_if().position) == units(game.process().position)
        tried = game.what_if({"germany": "A Mun H"})
        assert "A BUR" in units(tried.position)["France"]
        assert "A BUR" not in units(game.what_if().position)["France"]
        assert dumps(game) == before


class TestStatus:
    """Who is asked for what."""

    def test_movement(self, game: Game) -> None:
        """Every power is asked for orders to its units until a set has come."""
        status = {s.power: s for s in game.submit("France", "A Par H").set_disorder("Italy").status}
        assert {s.text for s in status.values()} == {"orders for 3 units", "orders for 4 units"}
        assert [p for p in POWERS if not status[p].waiting] == ["France", "Italy"]
        assert (status["France"].orders, status["Russia"].orders) == (1, None)

    def test_retreats_and_adjustments(self, standing: Builder) -> None:
        """Retreats are asked for dislodged units, builds as far as there are sites, removals in full (STD-10.b)."""
        units = {"France": ["A MUN", "A RUH", "A PAR"], "Germany": ["A KIE"]}
        game = standing("F1903M", units, {"France": "PAR BRE BEL POR SPA", "Germany": "KIE"})
        game = game.submit("France", "A Mun - Kie; A Ruh S A Mun - Kie").process()
        assert {s.power: s.text for s in game.status} == {"France": "nothing", "Germany": "a retreat"}
        game = game.submit("Germany", "A Kie - Ber").process()
        assert {s.power: (s.text, s.due) for s in game.status} == {"France": ("a build", 1), "Germany": ("nothing", 0)}
        winter = standing("W1903A", {"France": ["A MUN", "A PAR"]}, {"France": "PAR"})
        assert [(s.text, s.due) for s in winter.status] == [("a removal", -1)]


class TestRecordedGame:
    """A game that was really played."""

    def test_it_comes_out_as_it_did(self, england: Game) -> None:
        """All 41 phases of the recorded game begin as they did then, and England won with 18 centres (STD-2.a)."""
        assert england.outcome == Outcome(Termination.VICTORY, ("England",), "F1910R")
        assert units(england.position) == plain(RECORDED[-1]["next"]["units"])
        owners = {p: list(england.position.centres(p)) for p in england.survivors}
        assert owners == plain(RECORDED[-1]["next"]["centers"])
        eliminated = [e.power for r in england.records for e in r.events if e.kind is EventKind.ELIMINATED]
        assert sorted((*eliminated, *england.survivors)) == sorted(POWERS)

    def test_it_takes_little_memory(self, england: Game) -> None:
        """A game to 1910 takes less than 100 KiB, what all games share (variant, rulebook, types) left aside."""
        assert len(england.records) == 41
        assert 10 * 1024 < deep_size(england) < 100 * 1024


def deep_size(game: Game) -> int:
    """Bytes of everything that only this game holds."""
    seen = {id(thing) for thing in reachable([game.variant, game.rulebook], set())}
    return sum(map(sys.getsizeof, reachable([game], seen)))


def reachable(roots: list[object], seen: set[int]) -> list[object]:
    """Every object that the roots hold, directly or not, without classes and what was seen before."""
    found, ring = [], [root for root in roots if id(root) not in seen]
    while ring:
        thing = ring.pop()
        if id(thing) not in seen and not isinstance(thing, type):
            seen.add(id(thing))
            found.append(thing)
            ring += gc.get_referents(thing)
    return found
