"""A Gamesmaster corrects the board: what is checked, what stays, and that the record can still be verified."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, GamesmasterError, OutOfTurn
from gamesmaster.game import (
    Game,
    corrected_position,
    dumps,
    history,
    loads,
    report,
    seen_by,
    told_corrections,
    verify,
)
from gamesmaster.game.correction import MOST_CORRECTIONS
from gamesmaster.game.record import as_left
from gamesmaster.game.state_models import BoardEntry
from gamesmaster.variant import find_variant
from tests.game.test_seasons import stormy


def board(game: Game, **data: object) -> Position:
    """Return the board of a game as a document corrects it."""
    return corrected_position(game.state, BoardEntry.model_validate(data))


@pytest.fixture
def played(game: Game) -> Game:
    """A game after its first phase."""
    return game.submit("France", "A Par - Bur; F Bre - Mao").process()


def test_the_record_keeps_what_stood_before_and_can_be_verified(played: Game) -> None:
    """Units keep their numbers, and the record tells, verifies and loads what was corrected."""
    wrong = board(played, units={"france": ["A Picardy", "A MAR", "F MAO"]}, centers={"Italy": ["TUN"]})
    corrected = played.correct(wrong, "Paris - Picardy was meant")
    assert [str(u) for u in corrected.position.of("France")] == ["F MAO", "A MAR", "A PIC"]
    assert {u.number for u in corrected.position.units} == {u.number for u in played.position.units}
    italian = [place for place, owner in corrected.position.owners.items() if owner == "Italy"]
    assert italian == ["TUN"]
    assert len(corrected.position.owners) == len(played.position.owners) - 2
    over = corrected.submit("France", "A Pic - Bel").process()
    assert over.records[1].corrections == corrected.corrections
    for game in (corrected, over, over.process()):
        assert verify(game) == []
        assert loads(dumps(game)) == game
    assert as_left(over.records[1]).position == played.position
    text = history(over)
    assert "The Gamesmaster corrected the board: Paris - Picardy was meant" in text
    assert "A Bur (France) is taken off the board." in text
    assert "Tunis belongs to Italy." in text
    assert report(corrected).count("corrected the board") == 1


def test_a_power_that_is_not_named_keeps_what_it_has(played: Game) -> None:
    """A centre that another power gets is taken from its owner."""
    first = played.correct(board(played, centers={"Italy": ["TUN", "ROM"], "France": ["PAR"]}), "two owners")
    second = board(first, centers={"Germany": ["TUN"]}, units={"England": []})
    assert [second.owners.get(place) for place in ("TUN", "ROM", "NAP", "BER", "PAR", "VIE")] == [
        "Germany", "Italy", None, None, "France", "Austria",
    ]  # fmt: skip
    assert not second.of("England")
    assert second.of("France") == first.position.of("France")


def test_numbers_can_be_given_for_carriers_and_their_cargo() -> None:
    """Without numbers the cargo is found, listed or not."""
    game = Game.start(find_variant("scottomacy"), seed=bytes(32))
    power = next(unit.power for unit in game.position.units if unit.kind == "A/F")
    assert board(game, units={power: []}).of(power) == ()
    laden = [str(unit) for unit in game.position.of(power)]
    assert board(game, units={power: laden}) == game.position  # the cargo is found
    numbers = [unit.number for unit in sorted(game.position.of(power), key=str)]
    assert board(game, units={power: sorted(laden)}, numbers={power: numbers}) == game.position


def test_a_board_that_was_changed_without_a_correction_is_still_found(played: Game) -> None:
    """What a correction says of the board before is checked as well."""
    corrected = played.correct(board(played, centers={"Italy": ["TUN"]}), "a slip")
    assert verify(replace(corrected, corrections=())) != []
    forged = replace(corrected.corrections[0], position=replace(played.position, owners={"BUR": "France"}))
    assert [one.what for one in verify(replace(corrected, corrections=(forged,)))] == ["owners"]


def test_undoing_a_correction_restores_board_and_phase(played: Game) -> None:
    """Corrections are undone one by one, also after the game was taken back to their phase."""
    once = played.correct(board(played, centers={"Italy": ["TUN"]}), "one")
    twice = once.correct(once.position, "two", phase=once.variant.calendar.read("F1903M"))
    assert twice.phase.code == "F1903M"
    assert verify(twice) == []
    assert [one.why for one in told_corrections(twice.variant, twice)] == ["one", "two"]
    assert twice.undo_correction() == once
    assert once.undo_correction() == played
    with pytest.raises(OutOfTurn, match="nothing was corrected in F1901M"):
        played.undo_correction()
    assert twice.process().rollback("F1903M").undo_correction() == once  # taken back to, it can be undone again


def test_orders_stay_and_votes_do_not(game: Game) -> None:
    """An order that has become impossible is void."""
    sent = game.submit("France", "A Par - Bur").vote_draw("France")
    corrected = sent.correct(board(game, units={**_units(game), "France": ["A BUR"]}), "Burgundy")
    assert corrected.orders == sent.orders
    assert not corrected.votes
    assert corrected.process().records[0].rulings[0].startswith("void")


def test_a_game_goes_on_from_a_position_of_another_club(game: Game) -> None:
    """Before the first phase any later phase can be set."""
    calendar = game.variant.calendar
    lent = game.correct(board(game, units={"France": ["A PAR"]}, centers={"France": ["PAR", "BRE"]}), "by post so far",
                        phase=calendar.read("W1907A"))  # fmt: skip
    over = lent.submit("France", "Build F Bre").process()
    assert over.phase.code == "S1908M"
    assert verify(over) == []
    assert loads(dumps(over)) == over


def test_retreats_that_were_forgotten_are_played(game: Game) -> None:
    """A phase that was passed over can be set."""
    over = game.process()
    back = over.variant.calendar.read("S1901R")
    out = {"Austria": [{"unit": "A BUD", "from": "GAL", "retreats": ["SER", "RUM"]}]}
    units = {**_units(over), "Austria": ["A VIE", "F TRI"], "Russia": ["A BUD", "A MOS", "F SEV", "F STP/SC"]}
    corrected = over.correct(board(over, units=units, dislodged=out), "an attack was read wrongly", phase=back)
    assert verify(corrected) == []
    told = told_corrections(corrected.variant, corrected)[0].changes
    assert "A Bud (Austria) must retreat." in told
    assert told[0] == "The phase is Spring 1901 Retreats."
    done = corrected.submit("Austria", "A Bud - Ser").process()
    assert done.phase.code == "F1901M"
    assert verify(done) == []
    assert loads(dumps(done)) == done
    assert done.rollback("S1901R").position == corrected.position


@pytest.mark.parametrize(
    ("data", "phase", "says"),
    [
        ({}, "", "changes nothing"),
        ({}, "S1901M", "has been played already"),
        ({}, "F2099M", "too far away"),
        ({}, "F1901R", "nobody would have anything to do"),
        ({"units": {"France": ["A BRE", "F BRE"]}}, "", "in the same province"),
        ({"units": {"France": ["F PAR"]}}, "", "cannot lie there"),
        ({"units": {"Neutral": ["A PAR"]}}, "", "no power 'Neutral'"),
        ({"centers": {"Neutral": ["PAR"]}, "units": {"Swiss": ["A PAR"]}}, "", "Swiss"),
        ({"dislodged": {"France": [{"unit": "A PAR"}]}}, "", "not a phase of retreats"),
        ({"dislodged": {"France": [{"unit": "A PAR", "retreats": ["ENG"]}]}}, "F1901R", "cannot retreat to ENG"),
        ({"state": {"boats": {}}}, "", "keeps nothing as 'boats'"),
    ],
)
def test_an_impossible_correction_is_refused(played: Game, data: dict[str, object], phase: str, says: str) -> None:
    """Each fault is named."""
    calendar = played.variant.calendar
    with pytest.raises(GamesmasterError, match=says):
        played.correct(board(played, **data), "why", phase=calendar.read(phase) if phase else None)


def test_reason_number_and_end_are_checked(played: Game) -> None:
    """A reason is needed, a phase is corrected a limited number of times, and only before the end."""
    other = board(played, centers={"Italy": ["TUN"]})
    for why in ("", "  \n ", "x" * 401):
        with pytest.raises(GamesmasterError, match="the reason for a correction"):
            played.correct(other, why)
    game, boards = played, (other, played.position)
    for number in range(MOST_CORRECTIONS):
        game = game.correct(boards[number % 2], "to and fro")
    with pytest.raises(OutOfTurn, match="at most 20 times"):
        game.correct(other, "once more")
    over = played
    for power in played.survivors:
        over = over.vote_draw(power)
    with pytest.raises(OutOfTurn, match="the game is over"):
        over.correct(other, "too late")


def test_what_mechanics_keep_stays_and_must_fit_the_units() -> None:
    """State of mechanics is kept unless it is given."""
    game = Game.start(find_variant("indianomacy"), seed=bytes(32)).submit("Iroquois", "W 12 builds CF").process()
    units = {power: [str(u) for u in game.position.of(power)] for power in {u.power for u in game.position.units}}
    taken = board(game, centers={"Iroquois": ["1"]})
    assert taken.state == game.position.state
    corrected = game.correct(taken, "a centre")
    assert verify(corrected) == []
    assert loads(dumps(corrected)) == corrected
    with pytest.raises(BadFile, match="12"):
        board(game, state={"boats": {"lie": {"12": ["nobody"]}}})
    assert board(game, units=units).state == game.position.state


def test_dice_thrown_again_after_a_phase_was_set_back_stand_once() -> None:
    """The same die is recorded once, and taken back with its phase."""
    calm = next(seed for seed in range(50) if all(throw.fell for throw in stormy(seed).throws))
    game = stormy(calm).process()
    assert [throw.phase for throw in game.throws] == ["S1901R"] * 2 + ["W1901A"] * 2
    out = {"Italy": [{"unit": "A ROM", "from": "APU", "retreats": ["TUS"]}]}
    units = {**_units(game), "Italy": ["F NAP", "A VEN"]}
    back = game.variant.calendar.read("F1901R")
    corrected = game.correct(board(game, units=units, dislodged=out), "a retreat", phase=back)
    again = corrected.submit("Italy", "A Rom - Tus").process()
    assert again.throws == game.throws
    assert verify(again) == []
    assert again.phase == game.phase
    assert again.rollback("F1901R").undo_correction().position == game.position
    assert [throw.phase for throw in again.rollback("F1901M").throws] == ["S1901R"] * 2


@pytest.mark.parametrize("entry", [{"why": ""}, {"why": "a\nb"}, {"why": 1}, {"phase": "S1"}, {"more": 1}])
def test_a_forged_correction_in_a_record_is_refused(played: Game, entry: dict[str, object]) -> None:
    """Corrections are read as strictly as the rest of a record."""
    data = json.loads(dumps(played.correct(board(played, centers={"Italy": ["TUN"]}), "why")))
    data["now"]["corrections"][0] |= entry
    with pytest.raises(BadFile, match="corrections"):
        loads(json.dumps(data))


def _units(game: Game) -> dict[str, list[str]]:
    return {power: sorted(map(str, game.position.of(power))) for power in game.rules.powers}


def test_a_power_reads_only_what_it_saw_of_a_correction() -> None:
    """Where sight is limited, changes out of sight are in no report, and corrections differ in nothing else."""
    game = Game.start(find_variant("fog"), seed=bytes(32)).process()
    turkish = board(game, units={"Turkey": ["A SYR", "F ANK", "A SMY"], "France": ["A GAS", "A MAR", "F BRE"]})
    other = board(game, units={"Turkey": ["A ARM", "F ANK", "A SMY"], "France": ["A GAS", "A MAR", "F BRE"]})
    seen = [seen_by(game.correct(one, "slips"), ["France"]) for one in (turkish, other)]
    assert history(seen[0]) == history(seen[1])
    assert "The Gamesmaster corrected the board: slips" in history(seen[0])
    assert "A Gas (France) is put on the board." in history(seen[0])
    assert "Turkey)" not in history(seen[0]).partition("corrected")[2].partition("Due")[0]
    over = [seen_by(game.correct(one, "slips").process(), ["France"]) for one in (turkish, other)]
    assert report(over[0]) == report(over[1])
    assert "slips" in report(over[0])
    with pytest.raises(GamesmasterError, match="cannot be corrected"):
        seen[0].correct(turkish, "slips")
