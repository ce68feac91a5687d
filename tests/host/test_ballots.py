"""Votes: proposed, seen, agreed to and taken back on the page, by mail and by program, under each policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import hosting, ratings, seats
from gamesmaster.host.games.words import beginning
from gamesmaster.host.models import Ballot, Message, OutMail, RatedSeat, Table
from gamesmaster.host.phases import votes
from gamesmaster.host.press import live
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import HOUR, NOW, people, person, power_of, running
from tests.host.mailing import address, answer, sent
from tests.host.test_api import Program

pytestmark = pytest.mark.django_db

PRACTICAL = ("extend", "pause", "resume", "cancel")
POLICIES = ("secret", "counted", "open")
Say = Callable[..., str]


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the house stands an hour after the game began; nobody counts calls."""
    from django.core.cache import cache

    cache.clear()
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)


def browser(user: User | None) -> Client:
    """A browser with this person before it."""
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_of(table: Table, user: User | None) -> str:
    """The text of a table's page as somebody sees it, in one line."""
    body = browser(user).get(f"/t/{table.key}/").content.decode()
    return " ".join(unescape(re.sub("<[^>]*>", " ", body)).split())


def by_web(table: Table, user: User, kind: str, wanted: bool = True, winners: tuple[str, ...] = (), **more: str) -> str:
    """Vote on the page; what it then says."""
    told = {"power": power_of(table, user), "ordinal": str(table.ordinal), "kind": kind, "wanted": str(int(wanted))}
    client = browser(user)
    client.post(f"/t/{table.key}/vote", {**told, "winners": winners, "sure": "yes", **more})
    return unescape(client.get(f"/t/{table.key}/").content.decode())


def by_mail(table: Table, user: User, kind: str, wanted: bool = True, winners: tuple[str, ...] = ()) -> str:
    """Vote in a mail; its answer."""
    if not wanted:
        text = f"withdraw {kind}"
    elif kind == "end":
        text = f"vote for {winners[0]}" if len(winners) == 1 else f"vote draw among {', '.join(winners)}"
    else:
        text = f"vote {kind}"
    sent(user, address(table, user), text, **{"Message-ID": f"<{text}.{user.pk}.{Ballot.objects.count()}@x>"})
    return answer(user)


def by_api(table: Table, user: User, kind: str, wanted: bool = True, winners: tuple[str, ...] = ()) -> str:
    """Vote by program; what it is told."""
    given: dict[str, object] = {"ordinal": table.ordinal}
    given |= {"winners": list(winners) if wanted else []} if kind == "end" else {"wanted": wanted}
    return str(Program(user).call("put", f"/tables/{table.key}/votes/{power_of(table, user)}/{kind}", given)[1])


CHANNELS: tuple[Say, ...] = (by_web, by_mail, by_api)
every_channel = pytest.mark.parametrize("say", CHANNELS)


def three(policy: str = "counted", draw_shares: str = "all_survivors", **more: object) -> tuple[Table, list[User]]:
    """A running game of three people and four bots."""
    users = people(3)
    rules = {"votes": policy, "draw_shares": draw_shares}
    return running(users, TableSettings.model_validate(more), house_rules=rules), users


def again(table: Table) -> Table:
    """The table as it is now."""
    return Table.objects.get(pk=table.pk)


def stopped(table: Table) -> Table:
    """The table, paused by a vote that carried."""
    for seat in table.seats.filter(user__isnull=False).order_by("pk")[:2]:
        votes.wish(table, seat.power or "", "pause", ordinal=table.ordinal, user=seat.user)
    assert again(table).state == "paused"
    return again(table)


# -- carrying --------------------------------------------------------------------------------------------------------


@every_channel
@pytest.mark.parametrize("kind", PRACTICAL)
def test_two_thirds_or_all(say: Say, kind: str) -> None:
    """More time, a pause and its end take two of three players, cancelling all three; then it happens at once."""
    table, users = three()
    if kind == "resume":
        table = stopped(table)
    before, deadline = table.state, table.deadline
    needed = 3 if kind == "cancel" else 2
    for user in users[: needed - 1]:
        say(table, user, kind)
    assert (again(table).state, again(table).deadline) == (before, deadline)
    assert Ballot.objects.filter(kind=kind).count() == needed - 1
    say(table, users[needed - 1], kind)
    now = again(table)
    after = {"extend": "running", "pause": "paused", "resume": "running", "cancel": "cancelled"}
    assert now.state == after[kind]
    assert not Ballot.objects.filter(kind=kind).exists()
    if kind == "extend":
        assert deadline is not None
        assert now.deadline is not None
        assert now.deadline > deadline
    assert now.paused_why == ("vote" if kind == "pause" else "")
    assert (now.deadline is None) == (kind in ("pause", "cancel"))


@every_channel
def test_a_draw_of_all(say: Say) -> None:
    """When all people have agreed to a draw of all survivors, the bots do, too, and the game is over."""
    table, users = three()
    everybody = store.load(table).survivors
    for user in users:
        assert again(table).state == "running"
        say(table, user, "end", winners=everybody)
    assert again(table).state == "finished"
    outcome = store.load(again(table)).outcome
    assert outcome is not None
    assert (outcome.termination.value, outcome.winners) == ("draw", everybody)


@every_channel
def test_a_concession(say: Say) -> None:
    """All others concede to one player, who is not asked."""
    table, users = three()
    winner = power_of(table, users[0])
    say(table, users[1], "end", winners=(winner,))
    assert again(table).state == "running"
    say(table, users[2], "end", winners=(winner,))
    outcome = store.load(again(table)).outcome
    assert outcome is not None
    assert outcome.text == f"{winner} won by concession."


@every_channel
def test_a_draw_of_some(say: Say) -> None:
    """Where the table allows it, some share a draw and all survivors agree to that; elsewhere that is refused."""
    table, users = three(draw_shares="any_group")
    game = store.load(table)
    pair = tuple(p for p in game.survivors if p in {power_of(table, user) for user in users[:2]})
    for user in users:
        say(table, user, "end", winners=pair)
    outcome = store.load(again(table)).outcome
    assert outcome is not None
    assert outcome.winners == pair


def test_a_draw_of_some_where_all_share() -> None:
    """At a table where all survivors share a draw nobody proposes one of two."""
    table, users = three()
    pair = [power_of(table, user) for user in users[:2]]
    with pytest.raises(Refused) as caught:
        votes.cast(table, pair[0], pair, ordinal=0, user=users[0])
    assert caught.value.code == "bad-vote"
    assert not Ballot.objects.exists()


@every_channel
@pytest.mark.parametrize("kind", [*PRACTICAL, "end"])
def test_a_vote_taken_back(say: Say, kind: str) -> None:
    """Every vote can be taken back in its phase, and does not count any longer."""
    table, users = three()
    if kind == "resume":
        table = stopped(table)
    winners = store.load(table).survivors if kind == "end" else ()
    state = table.state
    say(table, users[0], kind, winners=winners)
    assert Ballot.objects.filter(kind=kind).count() == 1
    say(table, users[0], kind, False, winners=winners)
    assert not Ballot.objects.exists()
    for user in users[1:2]:
        say(table, user, kind, winners=winners)
    assert again(table).state == state


def test_all_votes_taken_back_by_mail() -> None:
    """`withdraw` by itself takes back whatever the player has voted for, and says what that was."""
    table, users = three()
    assert "You had no vote to withdraw." in withdrawn(table, users[0])
    by_mail(table, users[0], "pause")
    by_mail(table, users[0], "extend")
    assert "extend, pause" in withdrawn(table, users[0])
    assert not Ballot.objects.exists()


def withdrawn(table: Table, user: User) -> str:
    """The answer to WITHDRAW."""
    sent(user, address(table, user), "WITHDRAW", **{"Message-ID": f"<w{Ballot.objects.count()}@x>"})
    return answer(user)


def test_nobody_votes_in_vain() -> None:
    """Refused: a pause of what is paused, its end where it runs, more time without a deadline, any in a sandbox."""
    table, users = three()
    power = power_of(table, users[0])

    def refusal(kind: str, at: Table = table, by: User | None = users[0], of: str = power) -> str:
        with pytest.raises(Refused) as caught:
            votes.wish(at, of, kind, ordinal=at.ordinal, user=by)
        return caught.value.code

    assert refusal("resume") == "not-running"
    assert refusal("dance") == "bad-vote"
    assert refusal("pause", by=users[1]) == "no-seat"
    table = stopped(table)
    assert [refusal(kind, table) for kind in ("pause", "extend")] == ["not-running"] * 2
    by_hand = running(people_more(), TableSettings.model_validate({"deadlines": {"movement": {}}, "fill": "holder"}))
    seat = by_hand.seats.get(user__isnull=False)
    assert refusal("extend", by_hand, seat.user, seat.power or "") == "no-deadline"
    board = hosting.sandbox("standard", now=NOW)
    assert refusal("pause", board, None, "France") == "no-vote"
    assert again(board).state == "running"


def people_more() -> list[User]:
    """One more person."""
    return [person("solitary")]


def test_votes_of_who_is_gone() -> None:
    """A power's next player has not voted for anything; a power in civil disorder, or out of the game, has no vote."""
    *users, new, gm = people(4)
    table = running(users, gm=gm)
    power = power_of(table, users[0])
    votes.wish(table, power, "pause", ordinal=0, user=users[0])
    seats.replace(table, power, new, gm)
    assert not Ballot.objects.exists()
    table = again(table)
    with store.lock(table) as row:
        store.keep(row, store.load(row).set_disorder(power))
        row.save()
    with pytest.raises(Refused, match="civil disorder"):
        votes.wish(table, power, "pause", ordinal=0, user=new)
    assert not Ballot.objects.exists()


def test_the_game_is_ended_while_it_is_paused() -> None:
    """A paused game can be drawn, too."""
    table, users = three()
    table = stopped(table)
    for user in users:
        votes.cast(table, power_of(table, user), store.load(table).survivors, ordinal=0, user=user)
    assert again(table).state == "finished"


# -- what is seen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", ["extend", "end"])
def test_what_each_sees(policy: str, kind: str) -> None:
    """Open: what, how many, and who; counted: no names; secret: an end only one's own, anything else without number.

    The Gamesmaster knows all; the page, the status by mail, and the API tell the same.
    """
    *users, gm = people(4)
    table = running(users, house_rules={"votes": policy}, gm=gm)
    power = power_of(table, users[0])
    before = {who: live.stamp(access.look(table.key, who)) for who in (users[1], None)}
    said = Message.objects.count()
    winners = store.load(table).survivors if kind == "end" else ()
    by_api(table, users[0], kind, winners=winners)
    hidden = policy == "secret" and kind == "end"
    for who in (users[1], None):
        view = access.look(table.key, who)
        assert (live.stamp(view) == before[who]) == hidden
        assert len(view.ballots) == (0 if hidden else 1)
        if view.ballots:
            (known,) = view.ballots
            assert known.count == (None if policy == "secret" else 1)
            assert known.powers == ((power,) if policy == "open" else ())
            assert known.needed == (2 if kind == "extend" else 3)
            assert not known.own
    title = "draw shared by all survivors" if kind == "end" else "more time"
    proposed = f"{title}.".casefold()
    for who in (users[1], None):
        assert (proposed in page_of(table, who).casefold()) != hidden
    assert (Message.objects.count() > said) != hidden
    assert (f"proposed: {title}" in mails(users[1]).replace("proposed: a ", "proposed: ")) != hidden
    sent(users[1], address(table, users[1]), "status")
    assert (f"Proposed: {'a ' if kind == 'end' else ''}{title}" in answer(users[1])) != hidden
    (own,) = access.look(table.key, users[0]).ballots
    assert (own.own, own.powers) == (True, (power,))
    (all_,) = access.look(table.key, gm).ballots
    assert (all_.count, all_.powers) == (1, (power,))
    assert title in browser(gm).get(f"/t/{table.key}/gm/").content.decode().casefold()


def mails(user: User) -> str:
    """The subjects of what somebody has got."""
    return "\n".join(OutMail.objects.filter(user=user).values_list("subject", flat=True))


def test_names_that_are_hidden_stay_hidden() -> None:
    """In an anonymous game nobody is told how many must agree: for each winner that would tell who is a bot."""
    table, users = three("open", anonymity="until_end")
    by_api(table, users[0], "end", winners=(power_of(table, users[1]),))
    (known,) = access.look(table.key, users[0]).ballots
    assert (known.count, known.needed) == (1, None)
    assert "All who are asked must agree." in page_of(table, users[0])


def test_a_proposal_is_announced_once() -> None:
    """One notice and one mail tell of a proposal, however often it is taken back and made again."""
    table, users = three()
    for _ in range(3):
        votes.wish(table, power_of(table, users[0]), "pause", ordinal=0, user=users[0])
        votes.withdraw(table, power_of(table, users[0]), "pause", ordinal=0, user=users[0])
    notices = Message.objects.filter(table=table, text__startswith="Proposed: a pause.")
    assert notices.count() == 1
    told = OutMail.objects.filter(subject__endswith="proposed: a pause")
    assert set(told.values_list("user", flat=True)) == {users[1].pk, users[2].pk}
    assert told.count() == 2
    assert "vote pause" in told[0].body


def test_nobody_fills_mailboxes_with_proposals() -> None:
    """However many draws a player proposes in a phase, the others get a dozen mails at most."""
    table, users = three(draw_shares="any_group")
    mine, game = power_of(table, users[0]), store.load(table)
    others = [p for p in game.survivors if p != mine]
    for number in range(1, 30):
        among = [mine, *(p for bit, p in enumerate(others) if number >> bit & 1)]
        votes.cast(table, mine, among, ordinal=0, user=users[0])
    assert OutMail.objects.filter(user=users[1], subject__contains="proposed: ").count() == votes.MOST_ANNOUNCED


# -- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["end", "cancel"])
def test_what_cannot_be_taken_back_is_asked_twice(kind: str) -> None:
    """On the page nobody ends or cancels a game by a single click: the box must be ticked."""
    table, users = three()
    winners = ("all",) if kind == "end" else ()
    told = by_web(table, users[0], kind, winners=winners, sure="")
    assert "Your vote was not counted." in told
    assert not Ballot.objects.exists()
    by_web(table, users[0], kind, winners=winners)
    assert Ballot.objects.get().kind == kind


def test_what_the_page_offers() -> None:
    """Players may propose what the table's state allows; observers see no form, and nobody sees one in a sandbox."""
    table, users = three()
    running_ = page_of(table, users[0])
    assert "Propose more time (2 days)" in running_
    assert "Propose a pause" in running_
    assert f"{power_of(table, users[1])} wins" in running_
    assert f"{power_of(table, users[0])} wins" not in running_
    assert "Bots agree to an end of the game when all people do" in running_
    paused = page_of(stopped(table), users[0])
    assert "Propose to end the pause, a draw" in paused
    assert "Propose an end of the pause" in paused
    assert "Propose more time" not in paused
    assert "Vote for this end" not in page_of(table, None)
    assert "Vote for this end" not in page_of(hosting.sandbox("standard", now=NOW), None)


# -- bots and ratings ------------------------------------------------------------------------------------------------


def test_bots_that_never_agree() -> None:
    """Where bots never agree, all people together do not end the game, and the lobby and the page say so."""
    table, users = three(bots_agree="never")
    for user in users:
        over = votes.cast(table, power_of(table, user), store.load(table).survivors, ordinal=0, user=user)
        assert not over
    assert again(table).state == "running"
    (known,) = access.look(table.key, users[0]).ballots
    assert (known.count, known.needed) == (3, 7)
    rule = "Bots never agree to end the game"
    assert rule in page_of(table, users[0])
    assert rule in browser(None).get(f"/t/{table.key}/lobby/").content.decode()


def test_no_rating_is_made_by_bots() -> None:
    """A game to whose end bots agreed is not rated, and everybody is told; without bots the same end is rated."""
    table, users = three()
    for user in users:
        votes.cast(table, power_of(table, user), store.load(table).survivors, ordinal=0, user=user)
    assert not RatedSeat.objects.exists()
    assert "because bots agreed" in Message.objects.filter(table=table).latest("pk").text
    assert "because bots agreed" in OutMail.objects.filter(event="game", subject__endswith="the game is over")[0].body
    assert "because bots agreed" in ratings.rating_obstacle(again(table), store.load(again(table)))


def test_a_draw_of_people_is_rated() -> None:
    """A draw of seven people is rated."""
    users = people(7)
    table = running(users)
    for user in users:
        votes.cast(table, power_of(table, user), store.load(table).survivors, ordinal=0, user=user)
    assert RatedSeat.objects.filter(table=table).count() == 7
    assert "bots" not in Message.objects.filter(table=table).latest("pk").text


def test_the_form_asks_about_bots() -> None:
    """Whoever makes a game says whether bots agree; an old table, which does not say, is as it was."""
    (user,) = people(1)
    given = {k: v for k, v in beginning("usual", "standard", "UTC").items() if v is not None and v is not False}
    assert browser(user).post("/games/new", given | {"bots_agree": "never"}).status_code == 302
    assert Table.objects.get(owner=user).settings["bots_agree"] == "never"
    assert TableSettings.model_validate({}).bots_agree == "with_all"
