"""Orders sent ahead at a table: kept with the set, shown to their player alone, and saved when their phase comes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.game import SentAhead, dumps
from gamesmaster.host.games import seats, standbys
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.models import OutMail, PhaseRow, Receipt, Sheet, Table
from gamesmaster.host.operations import upkeep
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past
from gamesmaster.host.profiles import own_data
from gamesmaster.host.tables import access, store
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import Verb
from tests.host.conftest import HOUR, NOW, people, person, power_of, running
from tests.host.mailing import address, answer, sent, sheet
from tests.host.test_api import Program
from tests.host.test_cline_house import again, over, table_of

pytestmark = pytest.mark.django_db
KEPT = {"conditional_orders": "winter_and_retreats"}
ATTACK = {"Austria": "A Gal S A Pru - War", "Germany": "A Pru - War"}


@pytest.fixture
def cline() -> tuple[Table, dict[str, User], User]:
    """A game of Cline's in Fall, in which Austria and Germany can dislodge the Russian army in Warsaw."""
    *players, gm = people(10)
    table = table_of(players, gm)
    users = {power_of(table, user): user for user in players}
    for power, text in {"Austria": "A Vie - Gal", "Germany": "A Ber - Pru", "Russia": "A War H"}.items():
        sent(users[power], address(table, users[power]), text)
    over(table)
    table = again(table)
    for power, text in ATTACK.items():
        sent(users[power], address(table, users[power]), text)
    return table, users, gm


def by_mail(table: Table, user: User, text: str) -> str:
    """The answer to a mail of a player's."""
    sent(user, address(table, user), text)
    return answer(user)


def letter_of(user: User) -> str:
    """The last mail to a player about a phase that is over."""
    return OutMail.objects.filter(user=user, event="phase").order_by("-pk")[0].body


def client_of(user: User) -> Client:
    """A browser with a person before it."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_game_of_clines_by_mail(cline: tuple[Table, dict[str, User], User]) -> None:
    """Retreats sent with the moves: the army goes where the first possible one says, and its player is told."""
    table, users, _ = cline
    russia = users["Russia"]
    told = by_mail(table, russia, "A Mos - Ukr\nF Sev - Bla\n\nRetreats:\nA War - Gal\nA War - Ukr\nA War - Lvn\n")
    assert "Your orders are now:\n  A Moscow - Ukraine\n  F Sevastopol - Black Sea\n" in told
    assert "Kept for retreats:\n  A Warsaw - Galicia\n  A Warsaw - Ukraine\n  A Warsaw - Livonia\n" in told
    assert "Kept for retreats:\n  A Warsaw - Galicia\n" in by_mail(table, russia, "orders")
    at = over(table)
    now = again(table)
    assert (now.phase_code, now.ready_at) == ("F1901R", None)
    row = Sheet.objects.get(table=table, ordinal=2)
    assert (row.power, row.lines, row.channel, row.confirmed, row.by, row.ahead) == (
        "Russia", ["A War - Lvn"], "ahead", False, russia, {},
    )  # fmt: skip
    assert row.sent_at == at
    assert "These orders that you sent ahead are saved now; you can still change them:\n  A War - Lvn\n" in (
        letter_of(russia)
    )
    for power in ("Austria", "Germany"):
        assert "sent ahead" not in letter_of(users[power])
    assert receipts.check(receipts.receipt_text(access.look(table.key, russia), "Russia")).current
    over(table)
    assert "A LVN" in [str(unit) for unit in store.load(again(table)).position.of("Russia")]


def test_none_is_possible(cline: tuple[Table, dict[str, User], User]) -> None:
    """Where none is possible nothing is saved, the table waits for the player, and the mail says why."""
    table, users, _ = cline
    russia = users["Russia"]
    by_mail(table, russia, "A Mos - Ukr\nRetreats:\nA War - Gal\nA War - Ukr")
    over(table)
    assert not Sheet.objects.filter(table=table, ordinal=2).exists()
    told = letter_of(russia)
    assert "None of the orders that you sent ahead is possible here:\n  A War has no order and will disband\n" in told
    assert "  A War - Gal: leads to a place that is not open to retreat (STD-9.b)\n" in told
    now = again(table)
    assert submission.missing(store.load(now), store.seats_at(now), []) == ["Russia"]


def test_what_was_saved_can_be_changed(cline: tuple[Table, dict[str, User], User]) -> None:
    """The player can still send other orders, as after any set."""
    table, users, _ = cline
    russia = users["Russia"]
    by_mail(table, russia, "A Mos - Ukr\nRetreats: A War - Lvn")
    at = over(table)
    table = again(table)
    receipt = submission.submit(table, "Russia", "A War D", Submission(2), user=russia, now=at + HOUR)
    assert (receipt.version, sheet(table, russia)) == (2, ["A War D"])


def test_receipts_cover_what_is_kept(cline: tuple[Table, dict[str, User], User]) -> None:
    """A receipt vouches for what was sent ahead, too: once that is another, it is no longer current."""
    table, users, _ = cline
    russia = users["Russia"]

    def receipt() -> str:
        return receipts.receipt_text(access.look(table.key, russia), "Russia")

    by_mail(table, russia, "A Mos - Ukr\nRetreats: A War - Gal")
    first = receipt()
    by_mail(table, russia, "Retreats: A War - Lvn")
    assert (receipts.check(first).current, receipts.check(receipt()).current) == (False, True)
    row = Sheet.objects.get(table=table, ordinal=1, power="Russia")
    assert row.whole == "A Mos - Ukr\nretreats:\nA War - Lvn"
    assert Receipt.objects.get(code=receipt().split("|")[1]).sheet_hash == receipts.sheet_hash(row.whole, row.salt)
    assert row.whole in [one["text"] for one in own_data.export(russia)["orders"]]  # type: ignore[attr-defined]


def test_clear_takes_back_all(cline: tuple[Table, dict[str, User], User]) -> None:
    """`clear` takes back what was sent ahead as well; a new set without it does not."""
    table, users, _ = cline
    russia = users["Russia"]
    by_mail(table, russia, "A Mos - Ukr\nRetreats: A War - Gal\nWinter: Build A Mos")
    assert "Kept for adjustments:\n  Build A Moscow\n" in by_mail(table, russia, "A Mos - Lvn")
    by_mail(table, russia, "clear")
    row = Sheet.objects.get(table=table, ordinal=1, power="Russia")
    assert (row.lines, row.ahead) == ([], {})


def test_adjustments_wait(cline: tuple[Table, dict[str, User], User]) -> None:
    """Adjustments wait through a phase in which their player sends nothing, and no record tells of them."""
    table, users, gm = cline
    russia = users["Russia"]
    by_mail(table, russia, "A Mos - Ukr\nF Stp - Bot\nRetreats: A War - Gal\nWinter:\nBuild A Mos\nRemove A Ukr")
    over(table)
    table = again(table)
    kept = SentAhead(adjustments=("Build A Mos", "Remove A Ukr"))
    assert table.ahead == {"Russia": kept.data}
    assert "Remove" not in table.record
    for who in (russia, gm):
        assert access.look(table.key, who).ahead == {"Russia": kept}
        assert "Remove A Ukr" not in dumps(access.look(table.key, who).bare_game)
    assert access.look(table.key, users["Austria"]).ahead == {}
    assert "Kept for adjustments:" in by_mail(table, russia, "orders")
    assert f"{table.phase_code} can be adjudicated" in upkeep.trial(table)
    over(table)
    table = again(table)
    assert (table.phase_code, table.ahead) == ("W1901A", {})


def test_being_ready_keeps_what_waits() -> None:
    """Who is ready without anything to send, or by another's word, keeps what was sent ahead."""
    user, *_ = people(1)
    table = running([user], house_rules=KEPT)
    power = power_of(table, user)
    with store.lock(table) as row:
        row.ahead = {power: {"adjustments": ["Waive"]}}
        row.save()
    sheet_of(table, power, user)
    assert Sheet.objects.get(table=table).ahead == {"adjustments": ["Waive"]}


def sheet_of(table: Table, power: str, user: User) -> None:
    """A set without orders for later phases."""
    unit = store.load(table).position.of(power)[0]
    submission.submit(table, power, f"{unit} H", Submission(table.ordinal), user=user, now=NOW + HOUR)


def test_who_leaves_takes_it_along(cline: tuple[Table, dict[str, User], User]) -> None:
    """What a player sent ahead goes with him or her: the next one has none of it, not even after a rollback."""
    table, users, gm = cline
    russia, successor = users["Russia"], person("successor")
    by_mail(table, russia, "A Mos - Ukr\nRetreats: A War - Gal\nWinter: Build A Mos")
    over(table)
    table = again(table)
    assert table.ahead
    seats.replace(table, "Russia", successor, gm, now=NOW + 99 * HOUR)
    assert again(table).ahead == {}
    assert not Sheet.objects.filter(table=table, ordinal=2).exists()
    past.rollback(table, 1, gm, now=NOW + 100 * HOUR)
    assert access.look(table.key, successor).ahead == {}


def test_rollback(cline: tuple[Table, dict[str, User], User]) -> None:
    """A phase that is taken back has again what was sent ahead with it, or before it."""
    table, users, gm = cline
    russia = users["Russia"]
    by_mail(table, russia, "A Mos - Ukr\nRetreats: A War - Lvn\nWinter: Build A Mos")
    over(table)
    over(table)
    assert PhaseRow.objects.get(table=table, ordinal=2).ahead == {"Russia": {"adjustments": ["Build A Mos"]}}
    past.rollback(table, 2, gm, now=NOW + 99 * HOUR)
    assert access.look(table.key, russia).ahead == {"Russia": SentAhead((), ("Build A Mos",))}
    past.rollback(table, 1, gm, now=NOW + 99 * HOUR)
    assert access.look(table.key, russia).ahead == {"Russia": SentAhead(("A War - Lvn",), ("Build A Mos",))}
    over(table)
    assert Sheet.objects.get(table=table, ordinal=2).lines == ["A War - Lvn"]


def test_where_nothing_is_kept() -> None:
    """Without the house rule the answer says so, the desk offers nothing, and the orders are as they would be."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    unit = store.load(table).position.of(power)[0]
    told = by_mail(table, user, f"{unit} H\nRetreats: {away(table, power)}")
    assert f"This game does not keep these orders sent ahead: {away(table, power)}." in told
    assert "Kept for" not in told
    assert Sheet.objects.get(table=table).ahead == {}
    page = client_of(user).get(f"/t/{table.key}/").content.decode()
    assert "ahead" not in page.partition("<main")[2].partition("Orders of")[2]
    with store.lock(table) as row:
        assert store.load(row).house_rules.conditional_orders == "none"


def away(table: Table, power: str) -> str:
    """A retreat for the first unit of a power, to a place that is empty."""
    game = store.load(table)
    unit = game.position.of(power)[0]
    taken = {one.at.province for one in game.position.units}
    legal = LegalOrders(game.rules, game.position).of_power(game.phase.kind, power, game.season)
    moves = [order for order in legal if order.at == unit.at and order.verb is Verb.MOVE and order.to]
    return f"{unit} - {next(str(order.to) for order in moves if order.to and order.to.province not in taken)}"


def test_the_desk() -> None:
    """The desk shows what is kept in a box, with a button that takes it away; a script is told the same."""
    user, *_ = people(1)
    table = running([user], house_rules=KEPT)
    power, client = power_of(table, user), client_of(user)
    unit, url = store.load(table).position.of(power)[0], f"/t/{table.key}/"
    text = f"{unit} H\nRetreats:\n{away(table, power)}"
    form = {"power": power, "ordinal": 0, "text": text, "based_on": 0}
    assert "Kept for" not in client.get(url).content.decode()
    done = client.post(f"{url}orders", form, headers={"Accept": "application/json"}).json()
    assert done["text"] == text  # so that what is being typed stays as it is
    assert "Kept for retreats:" in done["receipt"]
    page = client.get(url).content.decode()
    assert f"<pre>{away(table, power)}</pre>" in page
    assert f'maxlength="20000" aria-describedby="warnings">{unit} H</textarea>' in page
    seen = client.post(f"{url}preview", form).json()
    assert [row["text"] for row in seen["rows"]] == [f"{unit} H"]
    assert seen["later"] == {"text": f"retreats:\n{away(table, power)}", "lost": ""}
    done = client.post(f"{url}orders", form | {"drop": "retreats"}, headers={"Accept": "application/json"}).json()
    assert (done["text"], "Kept for" in done["receipt"]) == (f"{unit} H", False)
    assert client.post(f"{url}orders", form | {"drop": "retreats"}).status_code == 302
    assert Sheet.objects.get(table=table).ahead == {}


def test_the_gamesmaster_sees_it(cline: tuple[Table, dict[str, User], User]) -> None:
    """The Gamesmaster's desk shows it with the orders, and other players see nothing of it."""
    table, users, gm = cline
    by_mail(table, users["Russia"], "A Mos - Ukr\nRetreats: A War - Lvn")
    assert b"<p>Kept for retreats:</p><pre>A War - Lvn</pre>" in client_of(gm).get(f"/t/{table.key}/gm/").content
    for power in ("Austria", "Germany"):
        assert b"A War - Lvn" not in client_of(users[power]).get(f"/t/{table.key}/").content


def test_by_program() -> None:
    """The receipt of a program, and the orders it asks for, tell what is kept."""
    user, *_ = people(1)
    table = running([user], house_rules=KEPT)
    power, program = power_of(table, user), Program(user)
    unit, retreat = store.load(table).position.of(power)[0], away(table, power)
    texts = [f"{unit} H", f"Retreats: {retreat}"]
    status, made = program.call("put", f"/tables/{table.key}/orders/{power}", {"ordinal": 0, "orders": texts})
    assert (status, made["ahead"]) == (200, {"retreats": [retreat], "adjustments": []})
    assert program.call("get", f"/tables/{table.key}/orders")[1][0]["ahead"] == made["ahead"]


def test_a_standby_sends_none(cline: tuple[Table, dict[str, User], User]) -> None:
    """What a standby would send ahead is not kept, and the answer says so."""
    table, _users, _gm = cline
    other = person("standby")
    standbys.offer(table, other, wish="Russia", now=NOW)
    table.standbys.update(power="Russia")
    text = f"table {table.key}\nphase F1901M\nA Mos - Ukr\nRetreats: A War - Lvn"
    assert sent(other, addresses.person(other), text).code == 250
    assert "Orders that a standby sends ahead are not kept." in answer(other)
