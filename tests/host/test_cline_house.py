"""Cline's Nine-Man house rules that only a host can carry out: each scenario that the engine does not run."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import hosting, seats, standbys
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.gm import desk, remarks
from gamesmaster.host.mailroom.acting import carry_out
from gamesmaster.host.mailroom.addresses import Mailbox
from gamesmaster.host.mailroom.reading import wishes
from gamesmaster.host.mailroom.replies import Answer
from gamesmaster.host.models import Message, OutMail, Sheet, Standby, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, NOW, people, power_of
from tests.host.test_api import Program

pytestmark = pytest.mark.django_db
TOLD = json.loads((Path(__file__).parents[1] / "data" / "cline9_host_scenarios.json").read_text("utf-8"))
SCENARIOS: dict[str, Any] = {one["id"]: one for one in TOLD}
PATIENT = Absent(grace=0, notice=0, most_away=0)


def table_of(
    players: list[User], gm: User, variant: str = "cline9", house_rules: dict[str, object] | None = None
) -> Table:
    """A running game with a Gamesmaster, bots that hold in the other seats; Cline's nine if nothing else is named."""
    chosen = TableSettings(fill="holder", absent=PATIENT, starts="asked", grey=True)
    table = hosting.create(gm, GameChoice(variant, house_rules=house_rules), chosen, gm=gm, now=NOW)
    for user in players:
        seats.join(table, user, now=NOW)
    hosting.start(table, gm, now=NOW)
    return again(table)


def again(table: Table) -> Table:
    """The table as it is now."""
    return Table.objects.get(pk=table.pk)


def over(table: Table) -> datetime:
    """Let the phase being played run out; returns when that was."""
    now = again(table)
    assert now.deadline is not None
    at = now.deadline + timedelta(minutes=1)
    assert processing.process(now, now.ordinal, now=at) is processing.Done.PROCESSED
    return at


def why_not(call: Callable[..., object], *given: Any, **named: Any) -> str:
    """The code with which a call is refused."""
    with pytest.raises(Refused) as error:
        call(*given, **named)
    return error.value.code


def holds(table: Table, power: str) -> list[str]:
    """Orders to hold for every unit of a power."""
    return [f"{unit.kind} {unit.at} H" for unit in store.load(again(table)).position.of(power)]


def second_miss(table: Table, power: str, standby: User) -> datetime:
    """Let a power miss Spring, ask its standby, and return a time in Fall."""
    standbys.offer(table, standby, wish=power, now=NOW)
    at = over(table)
    assert again(table).phase_code == "F1901M"
    assert Standby.objects.get(user=standby).power == power
    return at + DAY


def test_cln_s55_two_misses() -> None:
    """At the second miss in a row the standby's orders are used, and the power is the standby's from then on."""
    expected = SCENARIOS["CLN-S55"]["expect"]["state"]
    player, standby, gm = people(3)
    table = table_of([player], gm)
    power = power_of(table, player)
    assert again(table).settings["absent"]["beforehand"]
    at = second_miss(table, power, standby)
    assert OutMail.objects.filter(user=standby, subject__contains="please send a standby's orders").count() == 1
    texts = holds(table, power)
    standbys.send(table, standby, texts, ordinal=1, now=at)
    over(table)
    record = store.load(again(table)).records[1]
    assert (list(record.orders[power]) == texts) == (expected["orders_used"] == "standby")
    assert power_of(table, standby) == power
    assert not table.seats.exclude(state="left").filter(user=player).exists()
    assert not Standby.objects.exists()
    assert Sheet.objects.get(table=table, ordinal=1, power=power).lines == texts


def test_cln_s55_orders_that_come_are_used() -> None:
    """If the player's orders come they are used, the standby's are gone and told to nobody, and the count is none."""
    player, standby, gm = people(3)
    table = table_of([player], gm)
    power = power_of(table, player)
    at = second_miss(table, power, standby)
    standbys.send(table, standby, holds(table, power)[:1], ordinal=1, now=at)
    given = holds(table, power)
    submission.submit(table, power, given, Submission(1), user=player, now=at)
    over(table)
    game = store.load(again(table))
    assert list(game.records[1].orders[power]) == given
    assert power_of(table, player) == power
    assert table.seats.get(user=player).misses == 0
    kept = Standby.objects.get(user=standby)
    assert (kept.power, kept.text, kept.sent_at) == ("", "", None)


def test_cln_s55_the_country_is_taken_without_orders() -> None:
    """A standby who has sent nothing takes the power all the same; without one a player is looked for."""
    player, standby, gm = people(3)
    table = table_of([player], gm)
    power = power_of(table, player)
    second_miss(table, power, standby)
    over(table)
    assert power not in store.load(again(table)).records[1].orders
    assert power_of(table, standby) == power
    alone = table_of([player], gm)
    over(alone)
    over(alone)
    assert alone.seats.get(user=player).state == "standby-wanted"


def test_cln_s55_a_resignation_is_like_the_second_miss() -> None:
    """Who leaves is followed by the standby, at once, and what the standby had sent is the power's own."""
    player, standby, gm = people(3)
    table = table_of([player], gm)
    power = power_of(table, player)
    at = second_miss(table, power, standby)
    texts = holds(table, power)
    standbys.send(table, standby, texts, ordinal=1, now=at)
    seats.leave(table, player, now=at)
    assert power_of(table, standby) == power
    assert Sheet.objects.get(table=table, ordinal=1, power=power).lines == texts


def test_cln_s55_what_a_standby_may() -> None:
    """A standby sees no press, orders or votes of the power, sends moves alone, and only when asked."""
    player, standby, other, gm = people(4)
    table = table_of([player, other], gm)
    power = power_of(table, player)
    correspondence.send(table, power_of(table, other), Press("Between us.", [power]), user=other, now=NOW)
    standbys.offer(table, standby, now=NOW)
    assert why_not(standbys.send, table, standby, "", ordinal=0, now=NOW) == "not-asked"
    assert why_not(standbys.offer, table, player, now=NOW) == "sits-already"
    assert why_not(standbys.offer, table, gm, now=NOW) == "is-gm"
    submission.submit(table, power_of(table, other), "", Submission(0), user=other, now=NOW)
    at = over(table)
    submission.submit(table, power, holds(table, power), Submission(1), user=player, now=at)
    view = access.look(table.key, standby)
    assert view.viewer.standby is not None
    assert view.viewer.standby.power == power
    assert not view.sheets
    assert not view.ballots
    assert "Between us." not in [message.text for message in view.messages()]
    assert why_not(submission.submit, table, power, "", Submission(1), user=standby, now=at) == "no-seat"
    assert why_not(correspondence.send, table, power, Press("Hello.", ["all"]), user=standby, now=at) == "no-seat"
    assert why_not(standbys.send, table, standby, "", ordinal=0, now=at) == "not-this-phase"


def test_cln_s55_by_page_mail_and_program() -> None:
    """People offer themselves and send their orders on the game's page, by mail and by the API."""
    player, standby, gm = people(3)
    table = table_of([player], gm)
    power = power_of(table, player)
    client = Client()
    client.force_login(standby, backend="django.contrib.auth.backends.ModelBackend")
    assert b"Offer yourself" in client.get(f"/t/{table.key}/lobby/").content
    client.post(f"/t/{table.key}/standby", {"what": "offer", "power": power})
    assert Standby.objects.get(user=standby).wish == power
    client.post(f"/t/{table.key}/standby", {"what": "withdraw"})
    assert not Standby.objects.exists()
    program = Program(standby)
    assert program.call("put", f"/tables/{table.key}/standby", {"power": power})[1]["wish"] == power
    assert program.call("delete", f"/tables/{table.key}/standby")[0] == 200
    assert program.call("get", f"/tables/{table.key}/standby")[0] == 404
    assert "You are a standby" in by_mail(standby, table, f"standby {table.key} as {power}")
    at = over(table)
    texts = holds(table, power)
    told = by_mail(standby, table, "\n".join(texts), at)
    assert "in case its player's orders are missing" in told
    assert Standby.objects.get(user=standby).lines == texts
    for orders, kept in ((texts[0], texts[:1]), (texts, texts), ("\n".join(texts), texts)):
        put = {"ordinal": 1, "orders": orders}
        assert program.call("put", f"/tables/{table.key}/standby/orders", put)[1]["orders"] == kept
    page = client.get(f"/t/{table.key}/").content.decode()
    assert texts[0] in page
    client.post(f"/t/{table.key}/standby", {"what": "send", "ordinal": "1", "text": "\n".join(texts)})
    assert Standby.objects.get(user=standby).lines == texts
    assert "no longer" in by_mail(standby, table, f"nostandby {table.key}", at)


def by_mail(user: User, table: Table, text: str, now: datetime = NOW) -> str:
    """What the mail room answers to this text of a mail about a table and the phase being played."""
    answer = Answer(user, Mailbox("", user), now, again(table), "", again(table).ordinal)
    carry_out(answer, wishes(text))
    return "\n".join(answer.lines)


def test_cln_s52_a_playability_question() -> None:
    """Nobody but the Gamesmaster sees who answered a question or what; nothing is published, nothing else touched."""
    told = SCENARIOS["CLN-S52"]
    *players, gm = people(3)
    table = table_of(players, gm)
    submission.submit(table, power_of(table, players[0]), "", Submission(0), user=players[0], now=NOW)
    before = untouched(table)
    question = remarks.ask(table, gm, "What of Turkey's chances?", now=NOW)
    assert OutMail.objects.filter(
        subject__contains="a question from the Gamesmaster", body__contains=question.text
    ).count() == len(players)
    for user, text in zip(players, told["other"]["answers"].values(), strict=True):
        remarks.say(table, user, f"zqanswer{text}", question=question.pk, now=NOW)
    assert untouched(table) == before
    assert remarks.summary(again(table), gm).answers == len(told["other"]["answers"])
    assert told["expect"]["state"]["visible_to"] == ["judge"]
    for user in players:
        assert why_not(remarks.summary, again(table), user) == "not-gm"
    assert not Message.objects.filter(text__contains="zqanswer").exists()
    assert not OutMail.objects.filter(body__contains="zqanswer").exists()
    assert "zqanswer" not in again(table).record


def untouched(table: Table) -> list[object]:
    """What a question must not change: the record, the deadline, orders and press."""
    now = again(table)
    sheets = [(s.power, s.text, s.version, s.confirmed) for s in table.sheets.order_by("pk")]
    return [now.record, now.version, now.deadline, now.ready_at, sheets, table.messages.count()]


def test_cln_s53_press_without_limit() -> None:
    """Forty items of one player, two of them unsigned, appear, but for the one headed as a notice of the judge."""
    told = SCENARIOS["CLN-S53"]
    wanted, expected = told["other"]["press"], told["expect"]["state"]
    player, gm = people(2)
    table = table_of([player], gm)
    power, count = power_of(table, player), 0
    for number in range(wanted["items"]):
        false = number < wanted["in_judges_name"]
        grey = wanted["in_judges_name"] <= number < wanted["in_judges_name"] + wanted["unsigned"]
        text = f"NOTICE FROM THE JUDGE\n\nItem {number}" if false else f"Item {number}"
        at = NOW + timedelta(seconds=number)
        if false:
            count += (
                why_not(correspondence.send, table, power, Press(text, ["all"]), user=player, now=at) == "false-name"
            )
        else:
            correspondence.send(table, power, Press(text, ["all"], grey=grey), user=player, now=at)
    seen = [m for m in access.look(table.key, None).messages() if m.text.startswith("Item")]
    assert (len(seen), count) == (expected["published"], expected["refused"])
    assert sum(m.sender == correspondence.ANONYMOUS for m in seen) == wanted["unsigned"]


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("** Notice from the Judge **\nFrance is out.", True),
        ("GM:\nThe deadline is moved.", True),
        ("The Gamesmaster announces: no retreats today.", True),
        ("All is well.\n-- The Gamesmaster", True),
        ("A ruling by the GM\nNo.", True),
        ("\uff27\uff2d: wide letters", True),
        ("To the judge, who sleeps: wake up!", False),
        ("The judge is asleep, I hear.", False),
        ("Judges of wine: meet in Paris.", False),
    ],
)
def test_whose_word_it_is(text: str, false: bool) -> None:
    """What is headed or signed as the Gamesmaster's own is refused, and what speaks of him is not."""
    player, gm = people(2)
    table = table_of([player], gm)
    power = power_of(table, player)
    if false:
        assert why_not(correspondence.send, table, power, Press(text, ["all"]), user=player, now=NOW) == "false-name"
    else:
        correspondence.send(table, power, Press(text, ["all"]), user=player, now=NOW)
    correspondence.send(table, power, Press(text, [correspondence.HOUSE]), user=player, now=NOW)


def test_cln_s58_an_error_claimed_in_time() -> None:
    """An error claimed before the next deadline is put right with a new date; after the next season it stands."""
    expected = SCENARIOS["CLN-S58"]["expect"]["state"]
    player, gm = people(2)
    table = table_of([player], gm)
    assert store.load(table).house_rules.corrections == "until_next_deadline"
    at = over(table)
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    power = power_of(table, player)
    past.claim(table, 0, "Georgia - Moscow cuts support.", player, now=at)
    claim = Message.objects.get(sender=power)
    assert (claim.to, "S1901M" in claim.text) == ([correspondence.HOUSE], True)
    assert OutMail.objects.filter(user=gm, event="press").exists()
    before = again(table).deadline
    past.rollback(table, 0, gm, now=at + DAY)
    now = again(table)
    assert (now.phase_code == "S1901M") == expected["corrected"]
    assert now.deadline is not None
    assert (now.deadline != before and now.deadline > at + DAY) == expected["new_deadline"]
    assert OutMail.objects.filter(
        user=player, subject__contains="taken back to S1901M", body__contains=now.deadline_wall
    )
    over(table)
    late = over(table)
    assert why_not(past.claim, table, 0, "Too late.", player, now=late) == "too-late"
    assert why_not(past.rollback, table, 0, gm, now=late) == "stands"
    assert again(table).ordinal == 2
    past.rollback(table, 1, gm, now=late)
    assert again(table).phase_code == "F1901M"


def test_cln_s58_the_button() -> None:
    """The page of a phase has the way to claim an error for players, until the deadline; one press tells of it."""
    player, gm = people(2)
    table = table_of([player], gm)
    over(table)
    client, url = Client(), f"/t/{table.key}/p/0/"
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    Table.objects.filter(pk=table.pk).update(deadline=clock.now() + DAY)
    assert b"Report an error" in client.get(url).content
    assert b"Report an error" not in Client().get(url).content
    client.post(f"{url}claim", {"text": "Look again."})
    assert Message.objects.get(sender=power_of(table, player)).text.endswith("Look again.")
    Table.objects.filter(pk=table.pk).update(deadline=clock.now() - DAY)
    assert b"Report an error" not in client.get(url).content


def test_cln_s58_corrections_at_any_time() -> None:
    """Where the house rules have no end to corrections every phase may be taken back."""
    player, gm = people(2)
    table = hosting.create(gm, "standard", TableSettings(fill="holder", absent=PATIENT, starts="asked"), gm=gm, now=NOW)
    seats.join(table, player, now=NOW)
    hosting.start(table, gm, now=NOW)
    over(table)
    at = over(table)
    past.rollback(table, 0, gm, now=at)
    assert again(table).ordinal == 0


def test_cln_s67_the_judge_looks_at_turkey() -> None:
    """The desk shows Turkey's centres compared with the average, its losses, and that Persia and Russia attacked it."""
    told = SCENARIOS["CLN-S67"]
    *players, gm = people(10)
    table = table_of(players, gm)
    users = {power_of(table, user): user for user in players}
    given = [
        {"Russia": ["F SEV - ARM"], "Persia": ["A IRAQ - SYR"], "Turkey": ["F ANK - BLA"]},
        {"Russia": ["F ARM - BLA"], "Persia": ["A SYR - SMY"], "Turkey": ["A SMY - ANK"]},
    ]
    for ordinal, sets in enumerate(given):
        for power in users:
            texts = sets.get(power, [])
            submission.submit(
                table,
                power,
                texts,
                Submission(ordinal),
                user=users[power],
                now=again(table).phase_began or NOW,
            )
        over(table)
    view = access.look(table.key, gm)
    course = desk.course_of(view, "Turkey")
    assert course[1].attacked == ("Persia", "Russia")
    assert course[0].attacked == ()
    assert (course[-1].centres, course[-1].mean_centres) == (told["other"]["centre_count"]["Turkey"], 3.2)
    assert told["expect"]["state"]["visible_to"] == ["judge"]
    for user, sees in ((gm, True), (users["Turkey"], False)):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        page = client.get(f"/t/{table.key}/gm/?watch=Turkey")
        assert (page.status_code == 200) == sees
        assert (b"Persia, Russia" in page.content) == sees
        assert (Program(user).call("get", f"/tables/{table.key}/course/Turkey")[0] == 200) == sees


def test_cln_s67_what_was_lost() -> None:
    """A unit that was dislodged counts as such in its season, and as lost in the phase in which it left the board."""
    *players, gm = people(8)
    table = table_of(players, gm, variant="standard")
    users = {power_of(table, user): user for user in players}
    sets = [{"Austria": ["A Vie - Gal"]}, {}, {"Russia": ["A War - Gal", "A Ukr S A War - Gal"]}]
    sets[0]["Russia"] = ["A Mos - Ukr"]
    for ordinal, given in enumerate((sets[0], sets[2], {})):
        for power in users:
            now = again(table).phase_began or NOW
            submission.submit(table, power, given.get(power, []), Submission(ordinal), user=users[power], now=now)
        over(table)
    course = desk.course_of(access.look(table.key, gm), "Austria")
    assert [(one.phase, one.dislodged, one.lost) for one in course[:3]] == [
        ("S1901M", 0, 0), ("F1901M", 1, 0), ("F1901R", 0, 1),
    ]  # fmt: skip


def test_cln_s70_a_question_to_the_judge() -> None:
    """The answer to a question goes to all by one button, without the name of who asked."""
    expected = SCENARIOS["CLN-S70"]["expect"]["state"]
    *players, gm = people(10)
    table = table_of(players, gm)
    asker = next(user for user in players if power_of(table, user) == SCENARIOS["CLN-S70"]["other"]["from"])
    text = "May a fleet in Egypt name either coast of Jordan?"
    correspondence.send(table, "Persia", Press(text, [correspondence.HOUSE]), user=asker, now=NOW)
    client = Client()
    client.force_login(gm, backend="django.contrib.auth.backends.ModelBackend")
    url = f"/t/{table.key}/press/?with=Persia,Gamesmaster"
    assert b"Answer all players" in client.get(url).content
    client.post(url, {"text": "It may.", "answer": "all", "to": "Persia"})
    answer = Message.objects.get(text="It may.")
    assert (answer.to == []) == (expected["answer_sent_to"] == "all")
    letters = OutMail.objects.filter(event="press", body__contains="It may.")
    assert {letter.user for letter in letters} == set(players)
    assert not letters.filter(body__contains="Persia").exists()
    for user in players:
        seen = access.look(table.key, user).messages()
        assert "It may." in [message.text for message in seen]
        assert (text in [message.text for message in seen]) == (user == asker)


def test_cln_s70_to_the_asker() -> None:
    """Where the house rules say that answers go to the asker, nobody else reads one."""
    player, other, gm = people(3)
    table = table_of([player, other], gm, house_rules={"rule_answers": "to_asker"})
    power = power_of(table, player)
    asked = correspondence.send(table, power, Press("May it?", [correspondence.HOUSE]), user=player, now=NOW)
    answer = correspondence.answer(table, asked.pk, "It may.", user=gm, now=NOW)
    assert answer.to == [power]
    assert "It may." not in [message.text for message in access.look(table.key, other).messages()]
    assert why_not(correspondence.answer, table, answer.pk, "Yes.", user=gm, now=NOW) == "no-question"
    assert why_not(correspondence.answer, table, asked.pk, "Yes.", user=other, now=NOW) == "no-seat"
