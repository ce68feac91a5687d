"""The Gamesmaster corrects the board of a running game: page, API, mail, notices, log, and what it does not reveal."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.game import verify
from gamesmaster.game.state_models import BoardEntry
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import AuditLine, Ballot, Message, OutMail, Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import corrections, past, processing, votes
from gamesmaster.host.phases.corrections import Wanted, read_text
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import look
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import HOUR, NOW, person, power_of

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


def wanted(why: str = "a slip", phase: str = "", **board: object) -> Wanted:
    """Return a correction."""
    return Wanted(BoardEntry.model_validate(board), why, phase)


TUNIS = wanted(centers={"Italy": ["TUN"]})


def fresh(table: Table) -> Table:
    """Return the row of a table as it is now."""
    return Table.objects.get(pk=table.pk)


def post(client: Client, table: Table, page: str, **changes: str) -> tuple[int, str]:
    """Send the form of the page with the fields that it shows, some of them changed; return status and page."""
    texts = re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)</textarea>', page)
    inputs = re.findall(r'<input[^>]* name="([a-z]+)"[^>]* value="([^"]*)"', page)
    answer = client.post(f"/t/{table.key}/gm/board", {**dict(texts), **dict(inputs), **changes})
    return answer.status_code, answer.content.decode()


def test_the_page_previews_and_then_corrects(client: Client, run: Table, gm: User) -> None:
    """Only a board that has been seen is set; then everybody reads what was changed and why."""
    client.force_login(gm)
    shown = client.get(f"/t/{run.key}/gm/board").content.decode()
    row = re.search(r'name="units-(\d)"[^>]*>A MAR\nA PAR\nF BRE<', shown)
    assert row
    field = f"units-{row[1]}"
    changed = {field: "A Marseilles\nA PIC\nF BRE", "why": "Paris moved to Picardy"}
    status, seen = post(client, run, shown, **changed, do="correct")
    assert status == 200, "without a preview nothing is done"
    assert "A Par (France) is taken off the board." in seen
    assert not store.load(fresh(run)).corrections
    assert '<template id="given-layer"' in seen
    status, _ = post(client, run, seen, **{field: "A PIC"}, do="correct")
    assert (status, store.load(fresh(run)).corrections) == (200, ()), "another board than the one seen is shown first"
    status, _ = post(client, run, seen, **changed, do="correct")
    assert status == 302
    game = store.load(fresh(run))
    assert [str(unit) for unit in game.position.of("France")] == ["F BRE", "A MAR", "A PIC"]
    assert verify(game) == []
    notice = Message.objects.filter(table=run).latest("pk")
    assert notice.text.startswith("The Gamesmaster has corrected the board: Paris moved to Picardy\n")
    assert "A Pic (France) is put on the board." in notice.text
    assert AuditLine.objects.filter(table=run, who=gm, what="corrected the board: Paris moved to Picardy").exists()
    assert OutMail.objects.filter(table=run, subject__contains="the board has been corrected").count() == 2
    public = Client().get(f"/t/{run.key}/").content.decode()
    assert "Paris moved to Picardy" in public
    assert "A Par (France) is taken off the board." in public
    client.post(f"/t/{run.key}/gm/board/undo", {"ordinal": "0"})
    assert store.load(fresh(run)).position == game.undo_correction().position
    assert "Paris moved to Picardy" not in Client().get(f"/t/{run.key}/").content.decode()


def test_a_fault_on_the_page_keeps_what_was_written(client: Client, run: Table, gm: User) -> None:
    """The fault is named with its place, and all fields come back."""
    client.force_login(gm)
    shown = client.get(f"/t/{run.key}/gm/board").content.decode()
    status, page = post(client, run, shown, **{"units-0": "A Viena\nF TRI", "why": "x < y"})
    assert status == 422
    assert "Vienna" in page
    assert "A Viena\nF TRI</textarea>" in page
    assert 'value="x &lt; y"' in page
    assert post(client, run, shown, why="")[0] == 422
    assert post(client, run, shown, why="x", phase="S1800M")[0] == 422
    assert post(client, run, shown, why="x", ordinal="7")[0] == 409


def test_what_special_rules_keep_is_shown_and_checked(client: Client, gm: User) -> None:
    """A variant with state has a field for it, with the numbers of units."""
    table = hosting.sandbox("scottomacy", name="Boats")
    client.force_login(gm)
    page = client.get(f"/t/{table.key}/gm/board").content.decode()
    assert 'name="state"' in page
    assert re.search(r"\d+: A/F", page)
    status, seen = post(client, table, page.replace("&quot;", '"'), why="earlier", phase="F1491M")
    assert (status, "The phase is Fall 1491 Movement." in seen) == (200, True), seen
    status, page = post(client, table, page.replace("&quot;", '"'), why="x", state='{"boats": 1}')
    assert (status, "boats" in page) == (422, True)
    assert post(client, table, page, why="x", state="[" * 50)[0] == 422


@pytest.mark.parametrize("who", ["visitor", "stranger", "player1", "owner"])
def test_nobody_else_can_correct_or_look(client: Client, run: Table, who: str) -> None:
    """The page is not there for others, and the service refuses them."""
    user = None if who == "visitor" else User.objects.filter(username=who).first() or person(who)
    if user:
        client.force_login(user)
    assert client.get(f"/t/{run.key}/gm/board").status_code == (404 if user else 302)
    for act in (
        lambda: corrections.correct(run, 0, TUNIS, user), lambda: corrections.preview(run, 0, TUNIS, user),
        lambda: corrections.undo(run, 0, user),
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "not-gm"


def test_orders_stay_and_their_players_learn_which_are_void(run: Table, gm: User) -> None:
    """Each player is told of his or her own orders only; nobody is ready, and votes are gone."""
    one, two = people_of(run)
    game = store.load(run)
    for user in (one, two):
        units = game.position.of(power_of(run, user))
        text = "\n".join(f"{unit.kind} {unit.at} H" for unit in units)
        submission.submit(run, power_of(run, user), text, Submission(0, confirm=True), user=user, now=LATER)
    votes.cast(run, power_of(run, one), list(game.survivors), ordinal=0, user=one, now=LATER)
    gone = game.position.of(power_of(run, one))[0]
    left = [str(unit) for unit in game.position.of(power_of(run, one))[1:]]
    corrections.correct(run, 0, wanted(units={power_of(run, one): left}), gm, now=LATER)
    assert Sheet.objects.filter(table=run, confirmed=False).count() == 2
    assert not Ballot.objects.filter(table=run).exists()
    assert fresh(run).ready_at is None
    told = {mail.user: mail.body for mail in OutMail.objects.filter(subject__contains="corrected")}
    assert f"  {gone.kind} {gone.at} H" in told[one].partition("not possible any more")[2]
    assert "not possible any more" not in told[two]
    assert store.load(fresh(run)).process().phase.code == "F1901M"


def people_of(table: Table) -> list[User]:
    """Return the players of a table."""
    return list(User.objects.filter(seats__table=table).order_by("username"))


def test_the_phase_and_its_deadline(run: Table, gm: User) -> None:
    """A new phase gets its time; a deadline never becomes earlier, and a paused game stays paused."""
    deadlines.extend(run, gm, LATER + timedelta(days=30), now=LATER)
    corrections.correct(run, 0, TUNIS, gm, now=LATER)
    assert fresh(run).deadline == LATER + timedelta(days=30)
    corrections.correct(run, 0, wanted(phase="S1905M"), gm, now=LATER)
    assert (fresh(run).phase_code, fresh(run).ordinal) == ("S1905M", 0)
    deadlines.pause(run, gm, now=LATER)
    corrections.undo(run, 0, gm, now=LATER)
    row = fresh(run)
    assert (row.state, row.deadline, row.phase_code) == ("paused", None, "S1901M")
    assert store.load(row).corrections


def test_a_correction_is_final_when_its_phase_has_been_processed(run: Table, gm: User) -> None:
    """It can be undone until then; taken back to that phase, it can be undone again."""
    corrections.correct(run, 0, TUNIS, gm, now=LATER)
    processing.ask(run, 0, gm, now=LATER + HOUR)
    with pytest.raises(Refused) as refused:
        corrections.undo(run, 1, gm, now=LATER + HOUR)
    assert refused.value.code == "not-corrected"
    with pytest.raises(Refused) as refused:
        corrections.undo(run, 0, gm, now=LATER + HOUR)
    assert refused.value.code == "not-this-phase"
    page = Client().get(f"/t/{run.key}/p/0/").content.decode()
    assert "Tunis belongs to Italy." in page
    assert "Tunis belongs to Italy." in look(run.key, None).report(0)
    past.rollback(run, 0, gm, now=LATER + HOUR)
    corrections.undo(run, 0, gm, now=LATER + HOUR)
    assert not store.load(fresh(run)).corrections


def test_a_board_that_somebody_else_corrected_meanwhile(run: Table, gm: User) -> None:
    """What was seen must be what is set."""
    trial = corrections.preview(run, 0, TUNIS, gm)
    corrections.correct(run, 0, wanted(centers={"France": ["BEL"]}), gm, now=LATER)
    with pytest.raises(Refused) as refused:
        corrections.correct(fresh(run), 0, TUNIS, gm, seen=trial.mark, now=LATER)
    assert refused.value.code == "newer"
    hosting.cancel(run, gm, now=LATER)
    with pytest.raises(Refused) as refused:
        corrections.correct(run, 0, TUNIS, gm, now=LATER)
    assert refused.value.code == "not-running"


def test_the_api(client: Client, run: Table, gm: User) -> None:
    """Preview, correction, undo, and what everybody can read of it."""
    client.force_login(gm)
    base, given = f"/api/tables/{run.key}", {"ordinal": 0, "why": "Tunis", "board": {"centers": {"Italy": ["Tunis"]}}}
    seen = client.post(f"{base}/corrections/preview", given, "application/json").json()
    assert "Tunis belongs to Italy." in seen["changes"]
    assert "Rome belongs to nobody." in seen["changes"]
    assert seen["position"]["centers"]["Italy"] == ["TUN"]
    answer = client.post(f"{base}/corrections", {**given, "seen": seen["seen"]}, "application/json")
    assert answer.status_code == 200, answer.content
    assert Client().get(f"{base}/corrections").json()[0]["why"] == "Tunis"
    wrong = {**given, "board": {"units": {"France": [5]}}}
    assert client.post(f"{base}/corrections", wrong, "application/json").status_code == 422
    assert client.post(f"{base}/corrections/undo", {"ordinal": 0}, "application/json").status_code == 200
    assert Client().get(f"{base}/corrections").json() == []
    processing.ask(run, 0, gm, now=LATER)
    assert Client().get(f"{base}/phases/0").json()["corrections"] == []


def test_lines_of_a_mail_describe_a_correction() -> None:
    """Names, owners, retreats, phase and reason; other lines are refused."""
    text = "Reason: a slip\nphase: F1901R\nFrance: A PAR, F BRE\nfrance owns: PAR\n\n"
    read = read_text(text + "Austria must retreat: A TRI from VEN to ALB, BUD")
    assert (read.why, read.phase, read.board.units) == ("a slip", "F1901R", {"France": ["A PAR", "F BRE"]})
    assert read.board.centers == {"france": ["PAR"]}
    out = read.board.dislodged["Austria"][0]
    assert (out.unit, out.origin, out.retreats) == ("A TRI", "VEN", ["ALB", "BUD"])
    for line in ("hello", "France: " + "x" * 90):
        with pytest.raises(Refused) as refused:
            read_text(line)
        assert refused.value.code == "bad-board"


def test_where_the_board_is_hidden_everybody_reads_only_what_is_seen(client: Client, gm: User) -> None:
    """Two corrections that differ out of sight are told alike; an admin who may not see the board cannot correct it."""
    told, pages = [], []
    for number, place in enumerate(("A SYR", "A ARM")):
        player = person(f"fog{number}")
        settings = TableSettings(fill="holder", powers="preference")
        table = hosting.create(gm, GameChoice("fog", "In the mist"), settings, gm=gm, now=NOW)
        seats.join(table, player, preferences=["France"], now=NOW)
        hosting.start(table, gm, now=NOW)
        change = wanted(units={"Turkey": [place, "F ANK", "A SMY"], "France": ["A GAS", "A MAR", "F BRE"]})
        corrections.correct(table, 0, change, gm, now=LATER)
        told.append(OutMail.objects.get(user=player, subject__contains="corrected").body.partition("The game:")[0])
        public = Message.objects.filter(table=table).latest("pk").text
        assert "(" not in public, public
        client.force_login(player)
        page = client.get(f"/t/{table.key}/").content.decode()
        pages.append(re.findall(r"<li>([^<]* (?:on|off) the board\.)</li>", page))
    assert told[0] == told[1]
    assert "A Gas (France) is put on the board." in told[0]
    assert "Turkey" not in told[0]
    assert pages[0] == pages[1] == ["A Par (France) is taken off the board.", "A Gas (France) is put on the board."]
    admin = User.objects.create_superuser("admin")
    client.force_login(admin)
    assert client.get(f"/t/{table.key}/gm/").status_code == 200
    assert client.get(f"/t/{table.key}/gm/board").status_code == 404
    with pytest.raises(Refused) as refused:
        corrections.preview(fresh(table), 0, TUNIS, admin)
    assert refused.value.code == "not-gm"


@pytest.mark.parametrize("name", ["standard", "scottomacy", "conquest2", "1000ad", "indianomacy"])
def test_the_fields_as_they_are_shown_change_nothing(client: Client, gm: User, name: str) -> None:
    """What the page shows of a board is read as the same board, cargo and dislodged units included."""
    table = hosting.sandbox(name, name="As it is", now=NOW)
    client.force_login(gm)
    for _ in range(2):
        page = client.get(f"/t/{table.key}/gm/board").content.decode()
        status, answer = post(client, table, unescape(page), why="nothing")
        assert re.findall(r'role="alert"><strong>([^<]*)', answer) == ["This correction changes nothing."]
        assert status == 422
        if name == "standard" and not store.load(fresh(table)).corrections:
            out = {"Austria": [{"unit": "A BUD", "from": "GAL", "retreats": ["SER", "RUM"]}]}
            change = wanted(phase="S1901R", units={"Austria": ["A VIE"], "Russia": ["A BUD"]}, dislodged=out)
            corrections.correct(fresh(table), 0, change, gm, now=LATER)
            assert "A BUD from GAL to SER, RUM" in client.get(f"/t/{table.key}/gm/board").content.decode()
