"""Playing games: who is seated where, what is asked and told, and what becomes of players that fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import repeat
from threading import Event
from typing import Any

import pytest

from gamesmaster.board import Location
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import Game, dumps, loads, verify
from gamesmaster.orders import Order, Verb
from gamesmaster.players import Bot, Heuristic, Holder, Random, Referee, View, play, play_on, seed_of, views
from tests.patience import PATIENCE

from .table import STANDARD, Diary, Late, Says, board_of, seen

POWERS = [power.name for power in STANDARD.powers]


def test_the_same_seed_gives_the_same_game() -> None:
    """A game is decided by its seed, to the last byte of its record; another seed gives another."""
    players = [Heuristic(), Heuristic(), *(Random() for _ in range(5))]
    first, again, other = (dumps(play(STANDARD, players, seed=s, until=1902).game) for s in (5, 5, 6))
    assert first == again != other
    assert verify(loads(first)) == []


def test_a_list_is_dealt_by_lot() -> None:
    """Players in a list are seated by lot, each known by a name of its own."""
    players = [Holder(), Holder(), Random(), *(Holder() for _ in range(4))]
    seats = [play(STANDARD, players, seed=s, until=1900).game.players for s in range(8)]
    names = ["holder", "holder 2", "holder 3", "holder 4", "holder 5", "holder 6", "random"]
    assert all(sorted(seated.values()) == names for seated in seats)
    assert len({power for seated in seats for power, name in seated.items() if name == "random"}) > 2


def test_wrong_tables_are_refused() -> None:
    """A power that is not there, or too few players, are told before anything is played."""
    with pytest.raises(NotFound, match="Frnce"):
        play(STANDARD, {"Frnce": Holder()}, seed=1)
    with pytest.raises(GamesmasterError, match="7 powers cannot be dealt to 2 players"):
        play(STANDARD, [Holder(), Holder()], seed=1)


def test_powers_without_a_player_are_in_disorder() -> None:
    """Whoever is not named has no player: civil disorder."""
    match = play(STANDARD, {"france": Heuristic()}, seed=1, until=1901)
    assert match.game.disorder == frozenset(POWERS) - {"France"}
    assert match.game.players == {"France": "heuristic"}
    assert match.misses == ()


def test_years_and_centres() -> None:
    """Centres are told by year, and as they are at the end."""
    match = play(STANDARD, {"France": Heuristic()}, seed=1, until=1903)
    assert list(match.years) == [1901, 1902, 1903]
    assert match.years[1903] == match.centres
    assert match.years[1901]["France"] > 3 == match.years[1901]["Germany"]
    assert play(STANDARD, {}, seed=1, until=1900).years == {}


def test_a_victory_ends_the_game() -> None:
    """When somebody has won, the year of the victory is the last, and everybody hears of it."""
    board, diary = board_of("northseawars"), Diary()
    players = {board.powers[0].name: Heuristic(), board.powers[1].name: diary}
    match = play(board, players, seed=1)
    assert match.outcome is not None
    assert match.outcome.winners == (board.powers[0].name,)
    assert diary.pages[-1] == f"over {match.outcome.text}"
    assert max(match.years.values(), key=lambda counts: max(counts.values())) == match.centres


# -- what is asked and told ------------------------------------------------------------------------------------------


def test_what_a_player_is_asked_and_told() -> None:
    """Orders when something is due, the vote in movements, the results of every phase, and the end."""
    diary = Diary()
    match = play(STANDARD, {"France": diary}, seed=1, until=1901)
    year = ["orders S1901M 3", "vote S1901M", "told S1901M", "orders F1901M 3", "vote F1901M", "told F1901M"]
    assert diary.pages == [*year, "over nothing"]
    assert match.outcome is None


def test_all_must_agree_to_a_draw() -> None:
    """When every player votes for all survivors, the game is drawn; when one does not, it goes on."""
    agreed = play(STANDARD, {p: Diary(tuple(POWERS)) for p in POWERS}, seed=1, until=1901)
    assert agreed.outcome is not None
    assert agreed.outcome.text.endswith("share a draw.")
    alone = {p: Diary(tuple(POWERS) if p != "Italy" else ()) for p in POWERS}
    assert play(STANDARD, alone, seed=1, until=1901).outcome is None


def test_a_concession() -> None:
    """When all the others name one power, that power has won."""
    match = play(STANDARD, {p: Diary(() if p == "Italy" else ("Italy",)) for p in POWERS}, seed=1, until=1901)
    assert match.outcome is not None
    assert match.outcome.text == "Italy won by concession."


@pytest.mark.parametrize("wants", [("Italy", "France"), ("France",), ("Atlantis",)])
def test_votes_that_cannot_be(wants: tuple[str, ...]) -> None:
    """A vote for a few, for oneself or for nobody known is a lapse, and changes nothing."""
    match = play(STANDARD, {"France": Diary(wants)}, seed=1, until=1901)
    assert match.outcome is None
    assert [(lapse.phase, lapse.question) for lapse in match.lapses] == [("S1901M", "vote"), ("F1901M", "vote")]
    assert match.misses == ()


def test_a_view_holds_no_secrets() -> None:
    """Neither the seed of the dice nor what others have sent or voted can be found in a view."""
    game = Game.start(STANDARD, seed=seed_of(3)).submit("France", ["A Par - Bur"]).vote_draw("France")
    view = views(game)["Germany"]
    held = [getattr(view, name) for name in dir(view) if not name.startswith("__")]
    assert game.seed not in held
    assert all(thing is not game and thing != game.orders and thing != game.votes for thing in held)
    assert "luck" not in repr(view)


# -- players that fail -----------------------------------------------------------------------------------------------


def _raise(error: BaseException) -> Any:
    raise error


class _Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def _deep(view: View) -> Any:
    return _deep(view)


FAILING: dict[str, tuple[Callable[[View], Any], str]] = {
    "raises": (lambda view: 1 // 0, "ZeroDivisionError"),
    "asks to stop": (lambda view: _raise(SystemExit("enough")), "SystemExit: enough"),
    "cannot even say why": (lambda view: _raise(_Mute()), "_Mute: ?"),
    "none": (lambda view: None, "TypeError"),
    "a number": (lambda view: 7, "TypeError"),
    "numbers": (lambda view: [1, 2], "int is not an order"),
    "without end": (lambda view: repeat("A Par H"), "more than 256 orders"),
    "too long": (lambda view: "A Par H " * 5000, "more than 16,384 bytes"),
    "another's": (lambda view: "Germany: A Mun H", "orders for Germany"),
    "half an order": (lambda view: [Order(Verb.MOVE, "A")], "does not say all"),
    "a place of dreams": (lambda view: [Order(Verb.HOLD, "A", Location("OZ"))], "KeyError"),
    "half a character": (lambda view: ["\ud800"], "half a surrogate pair"),
    "deep": (_deep, "RecursionError"),
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_failing_player_sends_no_orders(kind: str) -> None:
    """Whatever a player does instead of answering: it is NMR for the phase, which is told, and the game goes on."""
    answer, why = FAILING[kind]
    match = play(STANDARD, {"France": Says(answer), "Germany": Heuristic()}, seed=1, until=1901)
    assert [lapse.phase for lapse in match.misses if lapse.power == "France"] == ["S1901M", "F1901M"]
    assert all(lapse.power == "France" and why in lapse.why for lapse in match.lapses)
    assert all("France" not in record.orders for record in match.game.records)
    assert match.centres["Germany"] > 3 == match.centres["France"]


def test_bad_orders_are_rulings() -> None:
    """A set of orders that makes no sense is a set of orders: its rulings say what is wrong."""
    match = play(STANDARD, {"France": Says(lambda view: ["A Par - Moon", "A Par - Lvp"])}, seed=1, until=1901)
    assert match.lapses == ()
    assert {r.cause.name for r in match.game.adjudication(match.game.records[0]).rulings if r.given} == {
        "UNREADABLE",
        "NOT_ADJACENT",
    }


def test_only_the_user_can_stop_it() -> None:
    """Control-C is not taken for a player's fault."""
    with pytest.raises(KeyboardInterrupt):
        play(STANDARD, {"France": Says(lambda view: _raise(KeyboardInterrupt()))}, seed=1)


def test_a_player_that_fails_to_listen() -> None:
    """Errors in hearing of results, or of the end, are told and do no harm."""

    class Deaf(Holder):
        def hear(self, view: View) -> None:
            raise ValueError("what?")

        over = hear

    match = play(STANDARD, {"France": Deaf()}, seed=1, until=1901)
    assert [lapse.question for lapse in match.lapses] == ["hear", "hear", "over"]
    assert str(match.lapses[0]) == "F1901M, France, hear: ValueError: what?"
    assert match.misses == ()


def test_a_late_player_sends_no_orders() -> None:
    """Who takes longer than its time is NMR, and the others do not wait for it."""
    start = time.monotonic()
    match = play(
        STANDARD, {"France": Late(2 * PATIENCE), "Italy": Holder()}, seed=1, until=1901, referee=Referee(patience=1)
    )
    assert time.monotonic() - start < PATIENCE
    assert {(lapse.phase, lapse.power) for lapse in match.misses} == {("S1901M", "France"), ("F1901M", "France")}
    assert match.misses[0].why == "took longer than 1 s"
    assert match.misses[1].why == "has not answered an earlier question yet"


def test_patience_changes_nothing_for_those_in_time() -> None:
    """A limit that nobody reaches leaves the game as it is, and errors are told as they are without one."""
    players: dict[str, Bot] = {p: Heuristic() for p in POWERS[1:]}
    players["Austria"] = Says(lambda view: 1 // 0)
    free, timed = (play(STANDARD, players, seed=2, until=1901, referee=Referee(patience=p)) for p in (None, 60.0))
    assert dumps(free.game) == dumps(timed.game)
    assert free.lapses == timed.lapses


def test_a_late_player_may_come_back() -> None:
    """After a late answer the player is asked again, as if nothing had been."""
    over = Event()

    class Slow(Holder):
        def orders(self, view: View) -> list[Order]:
            if view.phase.code == "S1901M":
                over.wait(PATIENCE)
            return super().orders(view)

    match = play(
        STANDARD, {"France": Slow()}, seed=1, until=1902, referee=Referee(tell=lambda _: over.set(), patience=1)
    )
    assert [lapse.phase for lapse in match.misses] == ["S1901M"]
    assert "A Par H" in match.game.records[2].orders["France"]


def test_names_are_made_fit_to_print() -> None:
    """A name with line breaks, or none at all, does not get into a record as it is."""

    class Nameless(Holder):
        @property
        def name(self) -> str:  # type: ignore[override]
            raise AttributeError

    odd, none = Holder(), Holder()
    odd.name, none.name = "two\nlines\x1b[31m", "\n"
    names = play(STANDARD, {"Turkey": Nameless(), "Italy": none, "France": odd}, seed=1, until=1900).game.players
    assert list(names.items()) == [("France", "twolines[31m"), ("Italy", "Holder"), ("Turkey", "Nameless")]


def test_a_game_can_be_played_on() -> None:
    """A game that was broken off is played on as if it had not been, and orders sent before are kept."""
    players = {p: Heuristic() for p in POWERS}
    whole = play(STANDARD, players, seed=4, until=1903)
    half = play(STANDARD, players, seed=4, until=1901)
    assert dumps(play_on(half.game, players, until=1903).game) == dumps(whole.game)
    sent = half.game.submit("France", ["A Par H"])
    assert "A Par H" in play_on(sent, players, until=1902).game.records[len(half.game.records)].orders["France"]


def test_a_view_of_a_phase_that_asks_nothing() -> None:
    """Where nothing is asked, nothing is due and there is nothing to choose."""
    view = seen("France", "W1901A", {"France": ["A PAR"]}, {"France": "PAR"})
    assert (view.due, view.winter, view.choices) == (0, (), {})
    assert seen("France", "S1901M", {"France": ["A PAR"]}).winter == ()
    assert seen("Italy", "S1901M", {"France": ["A PAR"]}).due == 0
