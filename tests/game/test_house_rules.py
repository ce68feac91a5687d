"""House rules: settings of a game, what they change in its course, and how they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile, BadRulebook, OutOfTurn
from gamesmaster.game import Game, Termination, dumps, loads, report, verify
from gamesmaster.rules import Cause, Result, Rulebook
from gamesmaster.variant import HouseRules, find_variant, read_variant
from gamesmaster.variant.house_rules import HOUSE_RULE_PRESETS, house_rule_settings

SEED = bytes(range(32))
ALL = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def begun(variant: str = "standard", **chosen: Any) -> Game:
    """A game under these house rules."""
    return Game.start(find_variant(variant), seed=SEED, house_rules=chosen)


def without(game: Game, *silent: str) -> Game:
    """The next phase, all but these powers having sent an empty set."""
    for status in game.status:
        if status.power not in silent and not status.disorder:
            game = game.submit(status.power, "")
    return game.process()


class TestValue:
    """A set of house rules by itself."""

    def test_the_first_answer_is_the_default(self) -> None:
        """What `house_rules.toml` lists first is what holds if nothing is agreed; numbers are 0."""
        for name, setting in house_rule_settings().items():
            assert getattr(HouseRules(), name) == (0 if setting.most else next(iter(setting.answers)))

    @pytest.mark.parametrize("name", HOUSE_RULE_PRESETS)
    def test_presets(self, name: str) -> None:
        """Every preset is a set of house rules, found in any case of letters, and calls itself by its name."""
        house = HouseRules.of(name.upper())
        assert (
            house == HouseRules.of({"preset": name}) == HouseRules.of(house) == HouseRules(**HOUSE_RULE_PRESETS[name])
        )
        assert str(house) == name

    def test_defaults(self) -> None:
        """Nothing said means the preset `standard`, whose answers are the first of each setting and 0."""
        assert HouseRules.of(None) == HouseRules.of({}) == HouseRules.of("standard") == HouseRules()
        assert HouseRules().choices() == {}
        for name, setting in house_rule_settings().items():
            assert getattr(HouseRules(), name) == (0 if setting.most else next(iter(setting.answers)))

    def test_the_postal_preset_has_the_defaults_of_its_clauses(self) -> None:
        """The preset of 1972 is what section 6 of Cline's game lays down (CLN-H)."""
        house = HouseRules.of("postal-1972")
        assert (house.deadline_days, house.first_deadline_days) == (21, 28)  # H.a
        assert house.season_grouping == "retreats_apart"  # H.b
        assert (house.late_orders, house.late_players) == ("until_adjudicated", "with_results")  # H.c
        assert house.missing_moves == "hold"  # H.d
        assert (house.missed_before_standby, house.standby_players) == (2, "asked_beforehand")  # H.e
        assert house.ambiguous_orders == "settled_by_unit"  # H.f
        assert house.double_orders == "cancel"  # H.g
        assert house.conditional_orders == "winter_and_retreats"  # H.h
        assert house.corrections == "until_next_deadline"  # H.i
        assert (house.draw_shares, house.concession, house.votes) == ("any_group", "all_survivors", "secret")  # H.j
        assert (house.letters, house.gamesmaster_plays) == ("free", "no")  # H.k, H.l
        assert (house.press, house.seats, house.rule_answers) == ("grey", "lot", "to_all")  # P.a, P.b, P.e

    def test_settings_change_what_they_are_laid_over(self) -> None:
        """Settings change the preset they name, or else the base; digits and truths are understood."""
        base = HouseRules.of("postal-1972")
        assert HouseRules.of({"deadline_days": "14"}, base) == replace(base, deadline_days=14)
        assert HouseRules.of({"preset": "standard", "deadline_days": 14}, base) == HouseRules(deadline_days=14)
        assert HouseRules.of({"gamesmaster_plays": True}).gamesmaster_plays == "yes"
        assert HouseRules.of("standard", base) == HouseRules()

    @given(st.data())
    def test_choices_make_the_same_again(self, data: st.DataObject) -> None:
        """Whatever is chosen, what differs from the default makes it again, and every setting has its sentence."""
        chosen: dict[str, Any] = {}
        for name, setting in house_rule_settings().items():
            answers = st.integers(0, setting.most) if setting.most else st.sampled_from(list(setting.answers))
            chosen[name] = data.draw(answers, label=name)
        chosen["conditional_orders"] = "winter_and_retreats"  # which goes with all others
        chosen["missed_before_standby"] = max(chosen["missed_before_standby"], 2)  # likewise
        house = HouseRules.of(chosen)
        assert HouseRules.of(house.choices()) == house
        for name in house_rule_settings():
            assert house.sentence(name).endswith(".")
            assert "{" not in house.sentence(name)

    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            ("postal", "did you mean postal-1972"),
            ({"preset": 1972}, "no house rules '1972'"),
            ({"late_order": "strict"}, "did you mean late_orders"),
            ({"late_orders": "strickt"}, "did you mean strict"),
            ({"late_orders": "perhaps"}, "one of until_adjudicated, strict"),
            ({"late_orders": 3}, "cannot be '3'"),
            ({"late_orders": True}, "cannot be 'True'"),
            ({"deadline_days": -1}, "a number from 0 to 366"),
            ({"deadline_days": True}, "a number from 0 to 366"),
            ({"deadline_days": "9" * 5000}, "a number from 0 to 366"),
            ({"deadline_days": "soon"}, "a number from 0 to 366"),
            ({"season_grouping": "conditional"}, "conditional_orders = winter_and_retreats"),
            ({"standby_players": "asked_beforehand", "missed_before_standby": 1}, "2, or more"),
            ([], "an object of settings"),
        ],
    )
    def test_bad_house_rules(self, value: Any, complaint: str) -> None:
        """A preset, setting or answer that nobody knows, and settings that do not go together, are refused."""
        with pytest.raises(BadRulebook, match=complaint):
            HouseRules.of(value)


class TestOrders:
    """Late, missing, doubtful and doubled orders."""

    def test_late_orders(self) -> None:
        """Late orders count until the phase is adjudicated, or never; what came in time stands (CLN-H.c)."""
        lenient = begun().submit("France", "A Par - Bur").submit("France", "A Par - Pic", late=True)
        assert lenient.orders["France"] == ("A Par - Pic",)
        strict = begun(late_orders="strict").submit("France", "A Par - Bur")
        with pytest.raises(OutOfTurn, match=r"France's orders are late.*late_orders = strict"):
            strict.submit("France", "A Par - Pic", late=True)
        assert strict.submit("France", "A Par - Pic").orders["France"] == ("A Par - Pic",)

    @pytest.mark.parametrize(
        ("missing", "support", "result"),
        [
            ("hold", "refused", Result.SUCCEEDS),
            ("disorder", "allowed", Result.SUCCEEDS),
            ("disorder", "refused", Result.VOID),
        ],
    )
    def test_missing_moves(self, missing: str, support: str, result: Result) -> None:
        """Units without orders hold; as in civil disorder the rulebook may refuse them support (CLN-H.d, 4.D.9)."""
        book = {"disorder_support": support}
        game = Game.start(
            find_variant("standard"), seed=SEED, house_rules={"missing_moves": missing}, rulebook=book
        ).submit("Italy", "A Ven S F Tri")
        done = without(game.submit("Italy", "A Ven S F Tri"), "Austria", "Italy")
        rulings = done.adjudication(done.records[-1]).rulings
        assert [r.result for r in rulings if r.given] == [result]
        causes = {r.cause for r in rulings if r.power == "Austria"}
        assert causes == {Cause.DISORDER if missing == "disorder" else Cause.UNORDERED}
        assert done.disorder == frozenset()  # the player is not gone
        assert verify(done) == []
        assert "Austria (no orders received)" in report(done)
        assert "Italy (no" not in report(done)

    @pytest.mark.parametrize(
        ("house", "book", "settled"),
        [
            ("by_rulebook", "void", True),
            ("by_rulebook", "never", False),
            ("by_rulebook", "settled_by_unit", True),
            ("settled_by_unit", "void", True),
            ("void", "settled_by_unit", False),
        ],
    )
    def test_a_doubtful_name(self, house: str, book: str, settled: bool) -> None:
        """What a name in doubt comes to may be settled above the rulebook (CLN-H.f)."""
        game = Game.start(
            find_variant("cline9"), seed=SEED, house_rules={"ambiguous_orders": house}, rulebook={"doubtful_name": book}
        )
        game = replace(game, position=Position(units_from({"England": ["A FIN"]}), {"EDI": "England"}))
        ruling = next(r for r in game.submit("England", "A Fin - Nor").what_if().rulings if r.given)
        assert ruling.cause is (Cause.CAME if settled else Cause.UNREADABLE)

    def test_double_orders_cancel_whatever_the_rulebook(self) -> None:
        """Two possible orders for one unit cancel under the postal preset, whatever rulebook is played (CLN-H.g)."""
        for house, cancelled in ((None, True), ("standard", False)):
            game = Game.start(find_variant("cline9"), seed=SEED, rulebook="today", house_rules=house)
            judged = game.submit("Italy", "A Ven - Tyr; A Ven - Pie").what_if()
            assert ("VEN" in {unit.at.province for unit in judged.position.of("Italy")}) is cancelled
        assert HouseRules.of("postal-1972").over(Rulebook.of("today")).choices() == {
            "double_orders": "cancel",
            "doubtful_name": "settled_by_unit",
        }


class TestMisses:
    """When a player is gone (CLN-H.e)."""

    def test_two_in_a_row(self) -> None:
        """The second miss in a row makes civil disorder from the next phase on, and orders between them do not."""
        game = without(begun(missed_before_standby=2), "Italy")
        assert (game.misses["Italy"], game.disorder) == (1, frozenset())
        back = without(game)
        assert back.misses["Italy"] == 0
        gone = without(game, "Italy")
        assert gone.disorder == {"Italy"}
        assert gone.records[-1].disorder == frozenset()
        with pytest.raises(OutOfTurn, match="in civil disorder"):
            gone.submit("Italy", "A Rom H")

    def test_the_first_may_be_the_last(self) -> None:
        """One miss may be enough; without a limit no number is."""
        assert without(begun(missed_before_standby=1), "Italy", "Turkey").disorder == {"Italy", "Turkey"}
        game = begun()
        for misses in range(1, 4):
            game = without(game, "Italy")
            assert (game.misses["Italy"], game.disorder) == (misses, frozenset())

    def test_who_takes_the_power_begins_anew(self) -> None:
        """A new player has missed nothing, whether taking the power at once or later."""
        gone = without(without(begun(missed_before_standby=2), "Italy"), "Italy")
        for taken in (gone.set_disorder("Italy", gone=False), without(gone).set_disorder("Italy", gone=False)):
            assert taken.misses["Italy"] == 0
            missed = without(taken, "Italy")
            assert (missed.misses["Italy"], missed.disorder) == (1, frozenset())
            assert without(missed, "Italy").disorder == {"Italy"}

    def test_only_moves_count(self) -> None:
        """Retreats and adjustments that are missed count for nothing, and part no misses."""
        game = without(begun(missed_before_standby=3), "Italy")
        game = without(game.submit("France", "A Mar - Spa"), "Italy")
        while game.phase.code != "S1902M":
            game = without(game, *ALL)
        assert game.misses["Italy"] == 2
        assert game.misses["France"] <= 1

    def test_rolled_back(self) -> None:
        """A game rolled back has its misses, and its players, as they were."""
        gone = without(without(begun(missed_before_standby=2), "Italy"), "Italy")
        back = gone.rollback("F1901M")
        assert (back.misses["Italy"], back.disorder) == (1, frozenset())
        assert without(back.submit("Italy", "A Rom H")).disorder == frozenset()


class TestVotes:
    """Draws and concessions (CLN-H.j)."""

    def test_a_draw_among_some(self) -> None:
        """Those left out of a draw must agree as well; then those named share it."""
        game = begun(draw_shares="any_group")
        for power in ALL[:-1]:
            game = game.vote_draw(power, among=["italy", "France"])
            assert game.outcome is None
        over = game.vote_draw("Turkey", among=["France", "Italy"])
        assert over.outcome
        assert (over.outcome.termination, over.outcome.winners) == (Termination.DRAW, ("France", "Italy"))
        assert loads(dumps(over)) == over
        other = game.vote_draw("Turkey", among=["France", "Turkey"])
        assert other.outcome is None

    def test_all_survivors_share(self) -> None:
        """Without such a house rule nobody may be left out, and a record in which somebody is does not pass."""
        with pytest.raises(OutOfTurn, match="all survivors share"):
            begun().vote_draw("France", among=["France", "Italy"])
        assert begun().vote_draw("France", among=ALL).votes == {"France": ALL}
        game = begun(draw_shares="any_group")
        for power in ALL:
            game = game.vote_draw(power, among=["France", "Italy"])
        assert len(verify(replace(game, house_rules=HouseRules()))) == 1

    def test_one_alone_is_a_concession(self) -> None:
        """A proposal that names one power is a concession to it."""
        game = begun(draw_shares="any_group")
        for power in ALL:
            game = game if power == "Italy" else game.vote_draw(power, among=["Italy"])
        assert game.outcome
        assert game.outcome.termination is Termination.CONCESSION

    def test_the_winner_may_be_asked(self) -> None:
        """A concession waits for the winner's own consent only where house rules say so."""
        with pytest.raises(OutOfTurn, match="concede to itself"):
            begun().concede("Italy", "Italy")
        games = {rule: begun(concession=rule) for rule in ("all_others", "all_survivors")}
        for rule, game in games.items():
            for power in ALL:
                game = game if power == "Italy" else game.concede(power, "Italy")
            assert bool(game.outcome) == (rule == "all_others")
            if rule == "all_survivors":
                assert game.concede("Italy", "Italy").outcome

    @pytest.mark.parametrize(
        ("votes", "told"),
        [
            ("secret", None),
            ("counted", "For a draw of {all}: 2 of 7."),
            ("open", "For a draw of {all}: France, Italy; 2 of 7."),
        ],
    )
    def test_what_is_told(self, votes: str, told: str | None) -> None:
        """Reports tell nothing of votes, their number, or who agrees."""
        game = without(begun(votes=votes)).vote_draw("Italy").vote_draw("France")
        text = " ".join(report(game).split())
        assert ("Votes" in text) == (told is not None)
        if told:
            assert told.format(all=", ".join(ALL)) in text


class TestKept:
    """House rules in files."""

    def test_saved_with_the_game(self) -> None:
        """A game has its house rules in its record, spelled out, and gets them back."""
        game = begun(preset="postal-1972", deadline_days=14)
        data = json.loads(dumps(game))
        assert data["format"] == 3
        assert data["house_rules"].keys() == house_rule_settings().keys()
        assert loads(dumps(game)) == game

    def test_old_records(self) -> None:
        """A record of the first format is read as one with the standard house rules, and saved in the new one."""
        data = json.loads(dumps(begun().process()))
        del data["house_rules"]
        old = loads(json.dumps({**data, "format": 1}))
        assert old == begun().process()
        assert json.loads(dumps(old))["format"] == 3

    def test_the_variants_own(self) -> None:
        """A variant names its house rules, single settings change them, and another preset takes their place."""
        variant = find_variant("cline9")
        assert Game.start(variant, seed=SEED).house_rules == HouseRules.of("postal-1972")
        strict = Game.start(variant, seed=SEED, house_rules={"late_orders": "strict"}).house_rules
        assert str(strict) == "postal-1972, late_orders = strict"
        assert Game.start(variant, seed=SEED, house_rules="standard").house_rules == HouseRules()

    @pytest.mark.parametrize(
        ("told", "complaint"),
        [
            ('house_rules = "postal"', r"house_rules: no house rules 'postal' \(did you mean postal-1972\?\)"),
            ("house_rules = { deadline_days = 400 }", "house_rules: deadline_days cannot be '400'"),
            ("house_rules = 3", "house_rules"),
        ],
    )
    def test_faults_of_a_variant(self, tmp_path: Path, told: str, complaint: str) -> None:
        """House rules that nobody knows are found when a variant is read, with the key."""
        with pytest.raises(BadFile, match=complaint):
            read_variant(_folder(tmp_path, told))

    def test_they_make_no_other_edition(self, tmp_path: Path) -> None:
        """A variant that changes its house rules plays alike: games begun before go on."""
        plain = read_variant(_folder(tmp_path / "a", ""))
        told = read_variant(_folder(tmp_path / "b", '[house_rules]\npreset = "postal-1972"\ndeadline_days = 14'))
        assert plain.digest == told.digest == find_variant("standard").digest
        assert _told(told.house_rules) == "postal-1972, deadline_days = 14"


def _told(value: str | Mapping[str, object]) -> str:
    return str(HouseRules.of(value))


def _folder(folder: Path, told: str) -> Path:
    """The standard variant with something added to its file."""
    shelf = Path(__file__).parents[2] / "src/gamesmaster/variants/standard"
    folder.mkdir(exist_ok=True)
    (folder / "board.json").write_bytes((shelf / "board.json").read_bytes())
    text = (shelf / "variant.toml").read_text(encoding="utf-8")
    table = told.startswith("[")
    text = f"{text}\n{told}\n" if table else f"{told}\n{text}"
    (folder / "variant.toml").write_text(text, encoding="utf-8")
    return folder
