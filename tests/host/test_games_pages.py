"""Pages of games: lists, the form of a new one, the lobby, invitations, the Gamesmaster's desk, the first page."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.forms import option_fields
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.games.words import beginning, read_length, written_length
from gamesmaster.host.models import AuditLine, Message, Sheet, Table, TableState
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import PACES, PRESETS, TableSettings
from gamesmaster.variant import HouseRules, find_variant, variant_names

from .conftest import HOUR, NOW, people, power_of, running

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    """A browser in which this user is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def form(**answers: Any) -> dict[str, Any]:
    """The form as a browser sends it, when these answers are changed: what is false is left out."""
    filled = {**beginning("usual", "standard", "UTC"), **answers}
    return {name: "on" if value is True else value for name, value in filled.items() if value is not False}


# -- the first page --------------------------------------------------------------------------------------------------


def test_a_board_at_once() -> None:
    """Somebody without an account gets a board to order on for all powers; looking alone makes none."""
    client = Client()
    assert client.get("/sandbox/new").status_code == 200
    assert not Table.objects.exists()
    answer = client.post("/sandbox/new", {"variant": "scottomacy"})
    made = Table.objects.get()
    assert answer["Location"] == f"/t/{made.key}/"
    assert (made.sandbox, made.state, made.variant) == (True, TableState.RUNNING, "scottomacy")
    assert client.post("/sandbox/new", {"variant": "../etc"}).status_code == 404


def test_a_sandbox_with_options() -> None:
    """A sandbox is made with the options that differ from the variant's own; what does not go together is refused."""
    client = Client()
    page = client.get("/variants/conquest2/").content.decode()
    assert 'name="option-conquest2-players"' in page
    assert 'name="option-conquest2-indians"' in page
    answers = {"variant": "conquest2", "option-conquest2-players": "3", "option-conquest2-indians": "no"}
    client.post("/sandbox/new", answers)
    assert [made.variant for made in Table.objects.all()] == ["conquest2[players=3]"]
    for more in ({"option-conquest2-indians": "sixth"}, {"option-conquest2-players": "9"}):
        refused = client.post("/sandbox/new", answers | more, follow=True)
        assert refused.redirect_chain[-1][0] == "/variants/conquest2/"
        assert "option" in " ".join(str(one) for one in refused.context["messages"])
    assert Table.objects.count() == 1


def test_a_form_from_elsewhere_makes_nothing() -> None:
    """Without the token of the page no board is made."""
    assert Client(enforce_csrf_checks=True).post("/sandbox/new", {"variant": "standard"}).status_code == 403


# -- a new game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [one.name for one in PRESETS])
def test_three_questions_are_enough(preset: str) -> None:
    """With every preset the form can be sent as it comes, and a table of that pace stands."""
    [user] = people(1)
    answers = beginning(preset, "standard", "UTC")
    answer = signed_in(user).post("/games/new", form(**answers))
    assert answer.status_code == 302
    table = Table.objects.get()
    assert store.settings_of(table).deadlines == PACES[answers["pace"]]
    assert table.state == (TableState.RUNNING if answers.get("begin") else TableState.FORMING)
    assert table.seats.filter(user=user).count() == 1


def test_everything_can_be_chosen() -> None:
    """Lengths, times on the wall, days off, options, house rules and rulebook arrive at the table."""
    [user] = people(1)
    answers = form(
        variant="cline9", part="gm", wall="12:00, 20:00", zone="Europe/Paris", length_first="10 days",
        days_off=["5", "6"],
        dates_off="2027-12-24 2027-12-25", house_rules="postal-1972", rulebook="1971", press="public", grey=True,
        absent_grace="0 minutes", join="link", min_reliability="40", name="  A   name ",
    )  # fmt: skip
    answers["option-cline9-turkey"] = "fleet-smyrna"
    assert signed_in(user).post("/games/new", answers).status_code == 302
    table = Table.objects.get()
    settings = store.settings_of(table)
    assert (table.variant, table.name, table.gm) == ("cline9[turkey=fleet-smyrna]", "A name", user)
    assert settings.deadlines.movement.wall is not None
    assert settings.deadlines.movement.wall.times == ("12:00", "20:00")
    assert settings.deadlines.first is not None
    assert settings.deadlines.first.minutes == 10 * 24 * 60
    assert settings.deadlines.days_off == (5, 6)
    assert len(settings.deadlines.dates_off) == 2
    assert (settings.press, settings.grey, settings.absent.grace, settings.join) == ("public", True, 0, "link")
    assert not table.seats.exists()
    assert signed_in(user).get(f"/t/{table.key}/lobby/").status_code == 200


def test_house_rules_one_by_one() -> None:
    """What is chosen of single house rules changes those of the preset, or of the variant; the others stay."""
    [user] = people(1)
    page = signed_in(user).get("/games/new").content.decode()
    for twice in ("How many days", "May players write to each other?"):  # deadlines and press have fields of their own
        assert twice not in page
    chosen = {"rule-late_orders": "strict", "rule-late_players": "at_deadline"}
    for preset, rest in (("postal-1972", "cancel"), ("", "by_rulebook")):
        assert signed_in(user).post("/games/new", form(house_rules=preset, **chosen)).status_code == 302
        rules = HouseRules.of(Table.objects.latest("pk").house_rules)
        assert (rules.late_orders, rules.late_players) == ("strict", "at_deadline")
        assert rules.double_orders == rest
    answer = signed_in(user).post("/games/new", form(**{"rule-season_grouping": "conditional"}))
    assert answer.status_code == 422
    assert "conditional_orders" in answer.content.decode() or "orders that may depend" in answer.content.decode()
    assert Table.objects.count() == 2


WRONG = [
    {"variant": "nowhere"},
    {"zone": "Europe/Pariss", "wall": "20:00"},
    {"wall": "25:00"},
    {"length_movement": "soon"},
    {"length_movement": "9000 days"},
    {"dates_off": "Christmas"},
    {"panic": "-1"},
    {"press": "loud"},
]


@pytest.mark.parametrize("answers", WRONG, ids=str)
def test_what_does_not_go_together(answers: dict[str, str]) -> None:
    """A wrong answer is said on the form, what was written stays there, and no table is made."""
    [user] = people(1)
    answer = signed_in(user).post("/games/new", form(name="My own name", **answers))
    assert answer.status_code == 422
    assert "Please correct the following" in answer.content.decode()
    assert "My own name" in answer.content.decode()
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("text", "length"), [("2 days", 2880), ("36h", 2160), ("1d 12h", 2160), ("90 min", 90), ("0", 0), ("", None)]
)
def test_lengths(text: str, length: int | None) -> None:
    """Lengths are read as people write them, and told so that they are read as the same."""
    assert read_length(text) == length
    assert read_length(written_length(length)) == length


# -- lists and lobby -------------------------------------------------------------------------------------------------


def test_a_list_with_a_slash(client: Client) -> None:
    """The address of the lists with a slash at its end leads to them, as those of all other pages do."""
    answer = client.get("/games/?list=open")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/games?list=open")


def test_options_have_titles() -> None:
    """An option is called what its description begins with, if that is short, and otherwise by its name."""
    titles = {field.label for name in variant_names() for field in option_fields(find_variant(name)).values()}
    assert {"Army/fleet module", "Bay exit", "Turkey"} <= titles
    assert "Af module" not in titles


def test_indianomacies_are_told_apart() -> None:
    """Two variants on one board are described by different sentences."""
    said = [card.says for card in hosting.cards()]
    assert len(set(said)) == len(said)


def test_lists() -> None:
    """Games that want players, that run, and one's own stand in their lists; secret ones in none but one's own."""
    users = people(3)
    hosting.create(users[0], GameChoice("standard", name="Open one"), TableSettings(starts="asked"), now=NOW)
    secret = hosting.create(users[1], GameChoice("cline9", name="Secret one"), TableSettings(join="invited"), now=NOW)
    running(users[:1])
    text = Client().get("/games?list=open").content.decode()
    assert "Open one" in text
    assert "Secret one" not in text
    assert "Seven at a table" in Client().get("/games?list=running").content.decode()
    assert "Secret one" in signed_in(users[1]).get("/games?list=mine").content.decode()
    assert "Secret one" not in signed_in(users[2]).get("/games?list=mine").content.decode()
    assert [line.name for line in hosting.find_tables("open", None, words="open standard")] == ["Open one"]
    assert signed_in(users[2]).get(f"/t/{secret.key}/lobby/").status_code == 404


def test_ones_own_games_come_by_their_deadlines() -> None:
    """What is due first stands first, games without a deadline follow, and games that are over come last."""
    (user,) = people(1)
    tables = [running([user]) for _ in range(4)]
    for table, state, hours in zip(
        tables, ("finished", "running", "running", "paused"), (None, 48, 2, None), strict=True
    ):
        deadline = None if hours is None else NOW + hours * HOUR
        Table.objects.filter(pk=table.pk).update(state=state, deadline=deadline)
    order = [line.key for line in hosting.find_tables("mine", user)]
    assert order == [tables[number].key for number in (2, 1, 3, 0)]


def test_cards_and_results_are_in_the_readers_language() -> None:
    """Phases and results are named in German, though orders and names of powers stay as they are."""
    (user,) = people(1)
    table = running([user])
    client = signed_in(user)
    card = client.get("/games?list=mine", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Frühjahr 1901, Züge" in card
    assert "/variants/standard/map.svg?style=" in card
    assert "?style=lightFalse" not in card
    assert processing.process(table, 0, "asked", now=NOW + HOUR) is processing.Done.PROCESSED
    past = client.get(f"/t/{table.key}/p/0/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Frühjahr 1901, Züge" in past
    assert "hält" in past
    assert ">holds<" not in past


def test_invitations() -> None:
    """Who has the link of an invitation sees a secret table and sits down, once for each use; then it says so."""
    users = people(3)
    wished = TableSettings(join="invited", powers="preference")
    table = hosting.create(users[0], GameChoice("standard", name="Our secret"), wished, now=NOW)
    client = signed_in(users[0])
    assert client.post(f"/t/{table.key}/host", {"what": "invite", "uses": "1"}).status_code == 302
    invitation = table.invitations.get().key
    assert invitation in client.get(f"/t/{table.key}/lobby/").content.decode()
    guest = signed_in(users[1])
    page = f"/join/{table.key}/{invitation}/"
    assert "Choice 1" in guest.get(page).content.decode()
    guest.post(f"/t/{table.key}/join", {"invitation": invitation, "wish": ["Turkey", "Italy", "Turkey"]})
    assert table.seats.get(user=users[1]).preferences == ["Turkey", "Italy"]
    late = signed_in(users[2])
    used = late.get(page)
    assert used.status_code == 410
    assert "used up" in used.content.decode()
    assert table.name not in used.content.decode()
    assert late.post(f"/t/{table.key}/join", {"invitation": invitation}).headers["Location"] == page
    assert late.get(f"/t/{table.key}/?invitation={invitation}").status_code == 404
    assert not table.seats.filter(user=users[2]).exists()


def test_leaving_and_beginning() -> None:
    """One leaves a forming table at a word, a running one only when sure; strangers begin nothing."""
    users = people(2)
    table = hosting.create(users[0], "standard", TableSettings(fill="holder", starts="asked"), now=NOW)
    for user in users:
        seats.join(table, user, now=NOW)
    host, guest = signed_in(users[0]), signed_in(users[1])
    guest.post(f"/t/{table.key}/host", {"what": "start"})
    table.refresh_from_db()
    assert table.state == TableState.FORMING
    host.post(f"/t/{table.key}/host", {"what": "start"})
    table.refresh_from_db()
    assert table.state == TableState.RUNNING
    guest.post(f"/t/{table.key}/leave")
    assert table.seats.filter(user=users[1], state="sitting").exists()
    guest.post(f"/t/{table.key}/leave", {"sure": "yes"})
    assert not table.seats.filter(user=users[1], state="sitting").exists()


def test_the_nameless_stay_so() -> None:
    """The lobby of an anonymous game names nobody but oneself."""
    users = people(2)
    table = running(users, TableSettings(anonymity="until_end"))
    text = signed_in(users[0]).get(f"/t/{table.key}/lobby/").content.decode()
    assert "player1" in text
    assert "player2" not in text
    assert "player1" not in Client().get(f"/t/{table.key}/lobby/").content.decode()


# -- the desk --------------------------------------------------------------------------------------------------------


def test_the_desk_is_the_gamesmasters() -> None:
    """Players, strangers and an owner who plays find no desk; the Gamesmaster reads the orders on it."""
    users = people(4)
    table = running(users[:3], gm=users[3])
    unit = "A Vie H"
    power = power_of(table, users[0])
    submission.submit(table, power, [], Submission(0), user=users[0], now=NOW)
    Sheet.objects.filter(table=table, power=power).update(text=unit)
    page = f"/t/{table.key}/gm/"
    for user in users[:3]:
        assert signed_in(user).get(page).status_code == 404
        assert signed_in(user).post(page + "do", {"what": "pause"}).status_code == 404
        assert signed_in(user).post(page + "preview").status_code == 404
    assert unit in signed_in(users[3]).get(page).content.decode()


def test_what_the_gamesmaster_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look ahead, order in a player's stead, write, move the clock, pause, process, take back: each on record."""
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    users = people(3)
    gm = users[2]
    table = running(users[:2], gm=gm)
    client, page = signed_in(gm), f"/t/{table.key}/gm/"
    power = power_of(table, users[0])
    assert "Preview of the results" in client.post(page + "preview").content.decode()

    def do(**told: str) -> Table:
        assert client.post(page + "do", told).status_code == 302
        table.refresh_from_db()
        return table

    do(what="override", power=power, text="", ordinal="0", sure="yes")
    assert Sheet.objects.get(table=table, power=power).channel == "gm"
    do(what="message", text="A word to all")
    assert Message.objects.filter(table=table, text="A word to all", to=[]).exists()
    before = table.deadline
    until = "2027-06-01T20:00"
    assert do(what="extend", until=until).deadline != before
    assert do(what="pause").state == TableState.PAUSED
    assert do(what="resume").state == TableState.RUNNING
    other = power_of(table, users[1])
    assert f"no orders have come from: {other}" in client.get(page).content.decode()
    assert do(what="process", ordinal="0").ordinal == 0  # nobody ticked that this is meant
    assert do(what="process", ordinal="0", sure="yes").ordinal == 1
    assert do(what="process", ordinal="0", sure="yes").ordinal == 1
    assert do(what="rollback", to="0").ordinal == 0
    newcomer = User.objects.create_user("newcomer")
    do(what="replace", power=power, player="newcomer")
    assert power_of(table, newcomer) == power
    assert do(what="cancel").state == TableState.RUNNING
    assert do(what="cancel", sure="yes").state == TableState.CANCELLED
    lines = " ".join(AuditLine.objects.filter(table=table).values_list("what", flat=True))
    for word in (
        "previewed",
        "entered orders",
        "wrote to all",
        "moved the deadline",
        "paused",
        "processed",
        "rolled",
    ):
        assert word in lines


def test_orders_in_a_players_stead_are_looked_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that count for nothing, and units without an order, are shown to the Gamesmaster, who must confirm them."""
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    gm, user = people(2)
    table = running([user], gm=gm)
    power = power_of(table, user)
    units = [f"{unit.kind} {unit.at} H" for unit in access.look(table.key, gm).position.of(power)]
    told = {"what": "override", "power": power, "ordinal": "0"}

    def put(*lines: str, **more: str) -> str:
        answer = signed_in(gm).post(f"/t/{table.key}/gm/do", {**told, "text": "\n".join(lines), **more})
        return answer.content.decode() if answer.status_code == 409 else ""

    shown = put(units[0], "A Mun - Atlantis")
    assert "Line 2, “A Mun - Atlantis”, cannot be read" in shown
    assert "has no order and will hold" in shown
    assert f"{units[0]}\nA Mun - Atlantis</textarea>" in shown
    assert f"<option selected>{power}</option>" in shown
    assert not Sheet.objects.exists()
    assert not put(*units)
    assert Sheet.objects.get(power=power).lines == units
    assert not put("A Mun - Atlantis", sure="yes")
    assert Sheet.objects.get(power=power).lines == ["A Mun - Atlantis"]


def test_watching_a_power() -> None:
    """The desk shows how a power fares compared with the average."""
    users = people(2)
    table = running(users[:1], gm=users[1])
    text = signed_in(users[1]).get(f"/t/{table.key}/gm/?watch=Turkey").content.decode()
    assert "Turkey compared with the average" in text
    assert "S1901M" in text
