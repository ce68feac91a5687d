from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster import host
from gamesmaster.game import loads
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.maps.pictures import addresses, sheet
from gamesmaster.host.models import Receipt, Sheet, Table
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.orders.choices import choices, verbs_data
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access, view
from gamesmaster.host.tables.settings import PACES, TableSettings
from gamesmaster.mechanics import MECHANICS
from gamesmaster.orders import Verb
from gamesmaster.variant import variant_names
from tests.host.conftest import DAY, NOW, holding, people, power_of, running

pytestmark = pytest.mark.django_db

FIRST_VISIT, NEXT_VISIT = 500_000, 60_000  # bytes
CANARY = "A Canary - Cage"
SAMPLE = 12  # orders of a power that are tried


def client_of(user: User | None = None) -> Client:
    """A browser, of somebody who is signed in or of a stranger."""
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def table_now(users: list[User]) -> Table:
    """A running table whose deadline is ahead of the real clock."""
    table = running(users)
    Table.objects.filter(pk=table.pk).update(deadline=clock.now() + DAY, phase_began=clock.now() - DAY)
    table.refresh_from_db()
    return table


def holds(table: Table, power: str) -> str:
    """A set in which every unit of a power holds."""
    position = access.look(table.key, table.owner).position
    return "\n".join(f"{unit.kind} {unit.at} H" for unit in position.of(power))


def text(client: Client, path: str, **headers: str) -> str:
    """The page at this address."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, path
    return answer.content.decode()


def leaves(tree: object) -> Iterator[str]:
    """The orders in a tree of choices."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for branch in tree.values():
            yield from leaves(branch)


def keys(tree: object) -> Iterator[str]:
    """The choices in a tree."""
    if isinstance(tree, dict):
        for key, branch in tree.items():
            yield key
            yield from keys(branch)


@pytest.mark.parametrize("variant", variant_names())
def test_every_choice_is_a_lawful_order(variant: str) -> None:
    """Whatever is offered for a click is read as a possible order of the unit it was offered for, in every phase."""
    table, random = hosting.sandbox(variant), Random(1)
    seen = set()
    for _ in range(4):
        table.refresh_from_db()
        view = access.look(table.key, None)
        if view.outcome:
            break
        seen.add(view.bare_game.phase.kind)
        for power in view.bare_game.survivors:
            told = json.loads(choices(view, power))
            given = _tried(view, told, power, random)
            submission.submit(table, power, given, Submission(view.ordinal, amend=False), user=None)
        processing.ask(table, view.ordinal, None)
    assert seen


def _tried(view: view.TableView, told: dict[str, object], power: str, random: Random) -> list[str]:
    """Try some of what is offered; give back an order for each unit."""
    given = []
    units = told["units"]
    assert isinstance(units, list)
    verbs = {verb.value for verb in (*Verb, *view.bare_game.rules.verbs)}
    for unit in units:
        offered = list(leaves(unit["tree"]))
        assert all(key in verbs or key in told["keys"] or key.startswith("boat") for key in keys(unit["tree"]))  # type: ignore[operator]
        assert {key for key in keys(unit["tree"]) if key in verbs} <= told["verbs"].keys()  # type: ignore[attr-defined]
        for order in random.sample(offered, min(len(offered), SAMPLE // len(units) + 1)):
            (ruling,) = [r for r in drafts.draft_preview(view, power, [order]).rulings if r.given]
            assert ruling.possible, (order, ruling.text)
        given.append(random.choice(offered))
    more = list(leaves(told["more"]))
    for order in random.sample(more, min(len(more), 4)):
        (ruling,) = [r for r in drafts.draft_preview(view, power, [order]).rulings if r.given]
        assert ruling.possible, (order, ruling.text)
    return given or more[:1]


@pytest.mark.parametrize("variant", variant_names())
def test_weight(variant: str) -> None:
    """A first visit weighs less than 500 kB as sent, the next less than 60: the board is kept for good."""
    table, client = hosting.sandbox(variant), client_of()
    page = text(client, f"/t/{table.key}/")
    first = len(page) + 110_000  # the house's style sheet, scripts and htmx: see below
    for look, address in addresses(variant).items():
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert "immutable" in answer.headers["Cache-Control"]
        assert "<style" not in gzip.decompress(answer.content).decode()
        if look in ("light-wide", "css"):
            first += len(answer.content)
    parts = [f"/t/{table.key}/layer.svg", f"/t/{table.key}/choices.json"]
    sent = [len(client.get(path, headers={"Accept-Encoding": "gzip"}).content) for path in parts]
    assert first + sum(sent) < FIRST_VISIT
    assert len(page) + sum(sent) < NEXT_VISIT


def test_what_has_not_changed_is_not_sent_again() -> None:
    """Layer, choices and maps are answered with 304 while they are the same."""
    table, client = hosting.sandbox("standard"), client_of()
    for path in ("layer.svg", "choices.json", "map.svg", "board.txt"):
        answer = client.get(f"/t/{table.key}/{path}")
        again = client.get(f"/t/{table.key}/{path}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (answer.status_code, again.status_code) == (200, 304)
    submission.submit(table, "France", "A Par - Bur", Submission(0), user=None)
    old = client.get(f"/t/{table.key}/layer.svg")
    assert "A Par - Bur" in old.content.decode()


SCRIPT = {"Accept": "application/json"}


def test_the_receipt_is_that_of_the_set_shown() -> None:
    """A set stored while a page is being made is not on it yet, and neither is its receipt."""
    user, *_ = people(1)
    table = table_now([user])
    power = power_of(table, user)
    before = access.look(table.key, user)
    submission.submit(table, power, holds(table, power), Submission(0), user=user)
    after = access.look(table.key, user)
    submission.submit(table, power, "", Submission(0), user=user)
    assert receipts.receipt_text(before, power) == receipts.receipt_text(after, power) == ""
    assert receipts.check(receipts.receipt_text(access.look(table.key, user), power)).current


def test_orders_are_stored_and_a_receipt_is_shown() -> None:
    """What is sent in is stored; the desk shows the receipt, which is genuine, and can say ready and wait."""
    user, *_ = people(1)
    table = table_now([user])
    power, client = power_of(table, user), client_of(user)
    form = {"power": power, "ordinal": "0", "based_on": "0", "text": holds(table, power)}
    told = client.post(f"/t/{table.key}/orders", form, headers=SCRIPT).json()
    receipt = receipts.text_of(Receipt.objects.get())
    assert receipt in told["receipt"]
    assert receipts.check(receipt).current
    assert Sheet.objects.get(power=power).text == form["text"] == told["text"]
    assert (told["version"], told["ready"]) == (1, False)
    told = client.post(f"/t/{table.key}/orders", {**form, "ready": "1"}, headers=SCRIPT).json()
    assert (told["version"], told["ready"]) == (1, True)
    assert "You are ready" in told["stands"]
    shown = client.post(f"/t/{table.key}/hold", {**form, "hold": "1"}, headers=SCRIPT).json()["stands"]
    assert "You asked to wait for the deadline" in shown
    page = text(client, f"/t/{table.key}/")
    assert form["text"].splitlines()[0] in page
    assert receipt in page
    assert text(client, f"/t/{table.key}/receipt.txt?power={power}").strip() == receipt


def test_without_scripts() -> None:
    """A plain form does as well: it leads back to the page, where the receipt stands; faults are told with the text."""
    user, *_ = people(1)
    table = table_now([user])
    power, client = power_of(table, user), client_of(user)
    form = {"power": power, "ordinal": "0", "based_on": "0", "text": holds(table, power)}
    answer = client.post(f"/t/{table.key}/orders", form, follow=True)
    assert answer.redirect_chain
    assert receipts.text_of(Receipt.objects.get()) in answer.content.decode()
    late = client.post(f"/t/{table.key}/orders", {**form, "ordinal": "7", "text": "my own words"})
    assert late.status_code == 409
    assert "my own words" in late.content.decode()
    assert "Orders are now due for Spring 1901 Movement." in late.content.decode()
    assert Sheet.objects.get(power=power).text == form["text"]


def test_ready_without_scripts() -> None:
    """A set that lacks something is stored, and a page asks once more; two sets that differ are both shown."""
    user, *_ = people(1)
    table = table_now([user])
    power, client = power_of(table, user), client_of(user)
    form = {"power": power, "ordinal": "0", "based_on": "0", "text": "nonsense", "ready": "1"}
    asked = client.post(f"/t/{table.key}/orders", form).content.decode()
    assert "You are not ready yet" in asked
    assert "line 1, “nonsense”, cannot be read" in asked
    sheet = Sheet.objects.get(power=power)
    assert (sheet.text, sheet.confirmed) == ("nonsense", False)
    again = client.post(f"/t/{table.key}/orders", {**form, "based_on": "1", "ready": "sure"}, follow=True)
    assert "You are ready" in again.content.decode()
    changed = {**form, "based_on": "1", "text": "other nonsense", "ready": ""}
    assert "you are no longer ready" in client.post(f"/t/{table.key}/orders", changed).content.decode()
    stale = client.post(f"/t/{table.key}/orders", {**changed, "text": "a third"})
    assert stale.status_code == 409
    page = stale.content.decode()
    assert "Other orders of" in page
    assert "<pre>other nonsense</pre>" in page
    assert "a third</textarea>" in page
    assert 'name="based_on" value="2"' in page
    assert Sheet.objects.get(power=power).text == "other nonsense"


def test_signed_out_without_scripts() -> None:
    """Who sends orders without a session is told so, sees them again, and finds the way back; nothing is stored."""
    user, *_ = people(1)
    table = table_now([user])
    form = {"power": power_of(table, user), "ordinal": "0", "based_on": "0", "text": "my own words"}
    answer = client_of().post(f"/t/{table.key}/orders", form)
    assert answer.status_code == 401
    page = answer.content.decode()
    assert "You are signed out." in page
    assert "<pre>my own words</pre>" in page
    assert f"/accounts/login/?next=%2Ft%2F{table.key}%2F" in page
    assert not Sheet.objects.exists()


def test_a_script_is_told_what_hinders() -> None:
    """Signed out, without the seat, in a phase that is over: a status and a code each, and what counted."""
    user, other = people(2)
    table = table_now([user, other])
    power = power_of(table, user)
    mine = holds(table, power)
    form = {"power": power, "ordinal": "0", "based_on": "0", "text": mine}
    for path in (f"/t/{table.key}/orders", "/t/nosuchtoken/orders", f"/t/{table.key}/hold"):
        answer = client_of().post(path, form, headers=SCRIPT)
        assert (answer.status_code, answer.json()["code"]) == (401, "signed-out")
    assert answer.json()["sign_in"] == f"/accounts/login/?next=%2Ft%2F{table.key}%2F%3Fpower%3D{power}"
    answer = client_of(other).post(f"/t/{table.key}/orders", form, headers=SCRIPT)
    assert (answer.status_code, answer.json()["code"]) == (403, "no-seat")
    assert client_of().get(f"/t/{table.key}/desk?power={power}&ordinal=0", headers=SCRIPT).status_code == 401
    client = client_of(user)
    client.post(f"/t/{table.key}/orders", form, headers=SCRIPT)
    processing.process(table, 0, "asked")
    late = client.post(f"/t/{table.key}/orders", {**form, "text": "too late"}, headers=SCRIPT)
    assert (late.status_code, late.json()["code"]) == (409, "not-this-phase")
    assert mine in late.json()["notice"]
    assert client.get(f"/t/{table.key}/desk?power={power}&ordinal=0", headers=SCRIPT).json()["code"] == "not-this-phase"
    told = client_of(other).post(f"/t/{table.key}/orders", {**form, "power": power_of(table, other)}, headers=SCRIPT)
    assert mine.splitlines()[0] not in told.json()["notice"]
    page = client.post(f"/t/{table.key}/orders", {**form, "text": "too late"}).content.decode()
    assert "What you wrote was not saved" in page
    assert "<pre>too late</pre>" in page


def test_nobody_orders_for_others() -> None:
    """Observers and other powers get no desk for a power, and nothing they send for it is stored or previewed."""
    user, other = people(2)
    table = table_now([user, other])
    power = power_of(table, user)
    form = {"power": power, "ordinal": "0", "text": "A Par H"}
    for client, refused in ((client_of(), 401), (client_of(other), 400)):
        assert client.get(f"/t/{table.key}/choices.json", {"power": power}).status_code == 403
        assert client.post(f"/t/{table.key}/preview", form).status_code == refused
        client.post(f"/t/{table.key}/orders", form)
        client.post(f"/t/{table.key}/orders", {**form, "ready": "1"})
        assert client.get(f"/t/{table.key}/receipt.txt", {"power": power}).status_code == 404
        client.post(f"/t/{table.key}/process", form)
        assert client.get(f"/t/{table.key}/orders").status_code == 405
    assert not Sheet.objects.filter(power=power).exists()
    assert "Orders of" not in text(client_of(), f"/t/{table.key}/")
    assert Table.objects.get().ordinal == 0


def test_no_order_is_seen_before_its_time() -> None:
    """What a power has sent stands on no page, layer or export that others get, nor do their tags tell of it."""
    user, other = people(2)
    table = table_now([user, other])
    paths = ("", "layer.svg", "map.svg", "board.txt", "record.json", "history.txt")
    before = [_shown(client_of(other), table, path) for path in paths]
    submission.submit(table, power_of(table, user), CANARY, Submission(0), user=user)
    after = [_shown(client_of(other), table, path) for path in paths]
    assert before == after
    assert not any("Canary" in body for body, _ in after)
    assert "Canary" in text(client_of(user), f"/t/{table.key}/")


def _shown(client: Client, table: Table, path: str) -> tuple[str, str]:
    answer = client.get(f"/t/{table.key}/{path}")
    body = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())
    return body, answer.headers.get("ETag", "")


def test_a_draft_is_drawn_and_not_kept() -> None:
    """A preview draws the draft, says which unit each line is for and what is wrong with it, and stores nothing."""
    table, client = hosting.sandbox("standard"), client_of()
    form = {"power": "France", "text": "A Par - Bur\nF Bre - Rum\nnonsense", "style": "dark", "layout": "narrow"}
    answer = client.post(f"/t/{table.key}/preview", form).json()
    good, far, odd = answer["rows"]
    assert good["fault"] == ""
    assert good["unit"]
    assert "cannot reach" in far["fault"]
    assert "cannot be read" in odd["fault"]
    assert "planned" in answer["layer"]
    assert "o-dark" in answer["layer"]
    assert len(answer["idle"]) == 1  # that A Mar has no order is not among the slips: another line counts what lacks
    assert not any("A Mar" in warning["about"] for warning in answer["warnings"])
    assert not Sheet.objects.exists()


def test_a_past_phase_tells_why() -> None:
    """Every order of a phase that is over has its reason, with the rule and its text, as a part and as a page."""
    table, client = hosting.sandbox("standard"), client_of()
    submission.submit(table, "France", "A Par - Bur", Submission(0), user=None)
    submission.submit(table, "Germany", "A Mun - Bur", Submission(0), user=None)
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})
    page = text(client, f"/t/{table.key}/p/0/")
    links = re.findall(r'hx-get="(/t/\w+/p/0/why/\d+/)"', page)
    assert len(links) == 22
    part = text(client, links[0], **{"HX-Request": "true"})
    assert "is stood off by A Mun (Germany)" in part
    assert "STD-6.a" in part
    assert "stand each other off" in part
    assert "<html" not in part
    assert "<html" in text(client, links[0])
    assert client.get(f"/t/{table.key}/p/0/why/99/").status_code == 404
    assert client.get(f"/t/{table.key}/p/1/").status_code == 404
    assert "S1901M" in text(client, f"/t/{table.key}/p/0/report.txt")


def test_a_whole_phase_is_explained() -> None:
    """All orders of a phase tell why at once, also where all went well; each rule that decided stands there once."""
    table, client = hosting.sandbox("standard"), client_of()
    submission.submit(table, "France", "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mid", Submission(0), user=None)
    submission.submit(table, "Germany", "A Mun - Bur\nA Ber H", Submission(0), user=None)
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})
    assert "Nobody attacks it." not in text(client, f"/t/{table.key}/p/0/")
    page = unescape(text(client, f"/t/{table.key}/p/0/?why=all"))
    for said in (
        "A Mun (Germany) tries to go there as well: 2 against 1.",
        "The move that it supports, A Par - Bur, succeeds.",
        "Nobody stands in its way to Mid-Atlantic Ocean.",
        "Nobody attacks it.",
    ):
        assert said in page
    cited = set(re.findall(r'href="#rule-([^"]+)"', page))
    defined = re.findall(r'id="rule-([^"]+)"', page)
    assert {"STD-6.a", "STD-4.a"} <= cited == set(defined)
    assert len(defined) == len(cited)
    assert len(re.findall('<div class="because" aria-live="polite"><p>', page)) == 22
    assert f'<option value="/t/{table.key}/p/0/?why=all" selected>' in page, "leafing keeps it so"


def test_what_nobody_ordered_is_told() -> None:
    """A unit beaten without an order hears who beat it and how strong; a Winter tells what nobody ordered in it."""
    table, client = hosting.sandbox("standard"), client_of()
    moves: list[list[str]] = [
        ["A War - Gal", "A Mos - Ukr"],
        ["A Ukr - Rum"],
        [],
        ["A Gal - Bud", "A Rum S A Gal - Bud"],
    ]
    for lines in moves:
        table.refresh_from_db()
        submission.submit(table, "Russia", lines, Submission(table.ordinal), user=None)
        client.post(f"/t/{table.key}/process", {"ordinal": str(table.ordinal)})
    table.refresh_from_db()
    game = loads(table.record)
    beaten = next(
        (n, k, r)
        for n, record in enumerate(game.records)
        for k, r in enumerate(game.adjudication(record).rulings)
        if r.dislodged and not r.given
    )
    part = text(client, f"/t/{table.key}/p/{beaten[0]}/why/{beaten[1]}/", **{"HX-Request": "true"})
    assert "A Gal (Russia) attacks it with a strength of 2; it holds with 1." in part
    assert "STD-6.b" in part
    winter = next(n for n, record in enumerate(game.records) if record.phase.code == "W1901A")
    assert "Russia gave no order for 1 build." in text(client, f"/t/{table.key}/p/{winter}/")


@pytest.mark.parametrize(
    ("path", "kind", "begins"),
    [
        ("map.svg?p=0", "image/svg+xml; charset=utf-8", b"<svg"),
        ("map.png?p=0", "image/png", b"\x89PNG"),
        ("map.pdf", "application/pdf", b"%PDF"),
        ("record.json", "application/json", b"{"),
        ("board.txt?p=0", "text/plain; charset=utf-8", b"Diplomacy"),
        ("board.txt?near=Bur", "text/plain; charset=utf-8", b"Burgundy"),
    ],
)
def test_exports(path: str, kind: str, begins: bytes) -> None:
    """A table can be taken away as pictures, as words and as data."""
    table, client = hosting.sandbox("standard"), client_of()
    processing.ask(table, 0, None)
    answer = client.get(f"/t/{table.key}/{path}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, kind)
    assert answer.content.startswith(begins)


def test_downloads_go_by_plain_names() -> None:
    """What can be taken away is in sight on the page, each under its name, and every link leads to it."""
    table, client = hosting.sandbox("standard"), client_of()
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})
    for path, names in (("", ()), ("p/0/", ("Report of S1901M",))):
        page = text(client, f"/t/{table.key}/{path}")
        shown = re.sub("<details.*?</details>", "", page, flags=re.DOTALL)
        part = shown[shown.index('id="downloads"') :].partition("</section>")[0]
        found = re.findall("<dt>(.*?)</dt>", part)
        assert [*names] == [name for name in found if "Report of" in name]
        assert {"Map", "Text board", "All reports", "Game record"} <= set(found)
        assert "Open a sandbox from here" in shown
        for link in re.findall('href="([^"]+)"', part):
            if not link.partition("?")[0].endswith(("png", "pdf")):
                assert client.get(link).status_code == 200, link


def test_a_sandbox_goes_forth_and_back() -> None:
    """A sandbox is processed, taken back with its orders there again, and forked; no other table is by these ways."""
    table, client = hosting.sandbox("cline9"), client_of()
    submission.submit(table, "France", "A Par H", Submission(0), user=None)
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})  # a second click does nothing more
    table.refresh_from_db()
    assert table.ordinal == 1
    fork = client.post(f"/t/{table.key}/fork/0")
    client.post(f"/t/{table.key}/back/0")
    table.refresh_from_db()
    assert table.ordinal == 0
    assert "A Par H" in text(client, f"/t/{table.key}/?power=France")
    assert "A Par H" in text(client, f"{fork.headers['Location']}?power=France")
    user, *_ = people(1)
    real = table_now([user])
    assert client_of(user).post(f"/t/{real.key}/process", {"ordinal": "0"}).status_code == 404
    assert client_of(user).post(f"/t/{real.key}/back/0").status_code == 404


def test_the_table_settles_what_becomes_of_lost_players() -> None:
    """Cline's house rules ask for a standby beforehand; at a table here that is the table's own policy."""
    view = access.look(hosting.sandbox("cline9").key, None)
    house = view.house_rules
    assert view.settings.absent.beforehand
    assert not access.look(hosting.sandbox("standard").key, None).settings.absent.beforehand
    assert (house.standby_players, house.missed_before_standby) == ("whoever_comes", 0)
    assert house.deadline_days == 21


def test_nothing_runs_inline() -> None:
    """No page of a table has a script or a style of its own in it, and htmx is told to add none."""
    table, client = hosting.sandbox("standard"), client_of()
    processing.ask(table, 0, None)
    for path in ("", "p/0/", "p/0/why/0/"):
        page = text(client, f"/t/{table.key}/{path}")
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert '"includeIndicatorStyles":false' in text(client, f"/t/{table.key}/")


def test_names_are_only_words() -> None:
    """A table's name is never markup: not on its page, not on its map, not in its exports."""
    table = hosting.sandbox("standard", name='<script>x</script>"><svg onload=1>')
    client = client_of()
    for path in ("", "layer.svg", "map.svg"):
        assert "<script>x" not in text(client, f"/t/{table.key}/{path}")
        assert "<svg onload" not in text(client, f"/t/{table.key}/{path}")


@pytest.mark.parametrize("path", ["map.exe", "layer.svg?p=1", "layer.svg?p=x", "p/0/", "desk/x", "map.svg?p=99999999"])
def test_what_is_not_there(path: str) -> None:
    """What a table has not is not found."""
    table = hosting.sandbox("standard")
    assert client_of().get(f"/t/{table.key}/{path}").status_code == 404


def test_a_forming_table_has_a_page() -> None:
    """Before the game begins the page shows the start, and who sits there; there is nothing to order."""
    user, *_ = people(1)
    table = hosting.create(user, GameChoice("standard", name="Not yet"))
    seats.join(table, user)
    page = text(client_of(user), f"/t/{table.key}/")
    assert f'href="/people/{user.username}/">{user.username}</a> <span class="tag good">you</span>' in page
    assert page.count('<li class="seat free">') == 6
    assert "Orders of" not in page
    assert client_of(user).get(f"/t/{table.key}/choices.json").status_code == 404


def test_units_that_are_ordered_alike_are_kept_apart() -> None:
    """Two fleets in the box with the same order are two rows, each of its own unit; an army carried goes along."""
    table, client = hosting.sandbox("conquest2"), client_of()
    told = client.get(f"/t/{table.key}/choices.json", {"power": "England"}).json()
    boxed = [unit for unit in told["units"] if unit["key"] == "F ATL"]
    helped = boxed[0]["tree"]["F ATL"]["support"]
    assert {"Spain F ATL", "France F ATL"} <= set(helped)
    form = {"power": "England", "text": "F ATL H\nF ATL H"}
    rows = client.post(f"/t/{table.key}/preview", form).json()["rows"]
    assert {row["unit"] for row in rows} == {unit["n"] for unit in boxed}
    landed = client.post(f"/t/{table.key}/preview", {**form, "text": "A/F ATL lands HIS"}).json()
    assert len(landed["idle"]) == 2


def test_the_ledger_is_on_the_page_and_in_the_api() -> None:
    """Strengths and what special rules keep are told to whoever looks, of now and of phases that are over."""
    table, client = hosting.sandbox("conquest2"), client_of()
    for ordinal in range(3):
        client.post(f"/t/{table.key}/process", {"ordinal": str(ordinal)})
    now, past = text(client, f"/t/{table.key}/"), text(client, f"/t/{table.key}/p/2/")
    for page, strength in ((now, "<dt>Strength in Spring 1600</dt>"), (past, "<dt>Strength in Winter 1590</dt>")):
        assert "<h2>Ledger</h2>" in page
        assert f"{strength}<dd>England: 3</dd>" in page
    assert "<dd>England, Spain, France, Portugal, Holland: 2 in Winter 1600</dd>" in now
    assert "<dd>England, Spain, France, Portugal, Holland: 3 in Winter 1590</dd>" in past
    assert "0 centres, 3 units, strength 3" in text(client, f"/t/{table.key}/map.svg")
    for address, known in (("ledger", 3), ("phases/0/ledger", None)):
        told = client.get(f"/api/tables/{table.key}/{address}").json()
        assert [power["strength"] for power in told["powers"]] == [known] * 5
        assert "Homes that may be named" in {entry["heading"] for entry in told["entries"]}
    plain = hosting.sandbox("standard")
    assert "Ledger" not in text(client, f"/t/{plain.key}/")
    forming = hosting.create(people(1)[0], "conquest2")
    assert client.get(f"/api/tables/{forming.key}/ledger").json()["code"] == "not-started"


def test_what_orders_cost_is_told_at_every_door() -> None:
    """An order that loses a unit is warned of on the desk, by the API, and beside what is stored."""
    table, client = hosting.sandbox("indianomacy"), client_of()
    submission.submit(table, "Illinois", "W 70 - 67", Submission(0), user=None)
    client.post(f"/t/{table.key}/process", {"ordinal": "0"})
    given = "W 67 - 120\nW 69 H\nW 71 H"
    said = "breaks a taboo: the unit is lost, and its power cursed"
    preview = client.post(f"/t/{table.key}/preview", {"power": "Illinois", "text": given}).json()
    assert {"about": "W 67 - 120", "text": said, "clause": "IND-5.b"} in preview["warnings"]
    address = f"/api/tables/{table.key}/orders/Illinois/preview"
    told = client.post(address, {"orders": given}, content_type="application/json").json()
    assert {"subject": "W 67 - 120", "text": said, "clause": "IND-5.b"} in told["warnings"]
    submission.submit(table, "Illinois", given, Submission(1), user=None)
    assert f"W 67 - 120 {said}" in text(client, f"/t/{table.key}/?power=Illinois")


def test_the_board_of_a_second_game_bears_its_own_name() -> None:
    """Indianomacy II is played on the board of Indianomacy, and its map is not called so."""
    assert ">Indianomacy II</title>" in sheet("indianomacy2", "light", "wide").svg
    assert ">Indianomacy</title>" in sheet("indianomacy", "light", "wide").svg


def test_maps_of_a_game_name_its_variant() -> None:
    """The title of a map has the variant behind the game's name, unless that says it already."""
    for name, title in (("Clans by post", "Clans by post (Scottomacy)"), ("A scottomacy club", "A scottomacy club")):
        table = hosting.sandbox("scottomacy", name=name)
        assert f">{title}</text>" in text(Client(), f"/t/{table.key}/map.svg")


def scripts() -> Iterator[tuple[str, str]]:
    """Yield name and code of each script of the site, without its comments."""
    found = sorted((Path(host.__file__).parent / "static" / "host").rglob("*.js"))
    assert len(found) > 20
    for script in found:
        yield script.name, re.sub(r"(^|\s)//.*", "", script.read_text("utf-8"))


def test_times_of_day_are_in_the_readers_zone() -> None:
    """Templates write times of day by `moment`, which a script converts; others name their zone or are kept apart."""
    apart = {"me.html", "letters.html"}  # the time in the reader's zone right now, and the second a message goes out
    for page in sorted(Path(host.__file__).parent.rglob("*.html")):
        times = re.findall(r"date:[\"'][^\"']*H[^\"']*|DATETIME_FORMAT", page.read_text("utf-8"))
        assert page.name in apart or not [one for one in times if not one.endswith(" T")], page.name


def test_no_page_waits_for_ever() -> None:
    """Scripts ask the site through `ask`, which waits ten seconds; what a page sends as it closes needs no answer."""
    bare = {name: re.findall(r"\bfetch\([^\n]*", code) for name, code in scripts()}
    assert len(bare.pop("asking.js")) == 1
    assert not [call for calls in bare.values() for call in calls if "keepalive: true" not in call]


def test_the_page_is_told_what_kind_of_order_each_is() -> None:
    """Rows have the verb and the place of their order, choices what their verbs make: no script reads the words."""
    own = [verb for mechanic in MECHANICS.values() for verb in mechanic.verbs]
    told = verbs_data([*Verb, *own], own)
    assert told.keys() == {verb.value for verb in (*Verb, *own)}
    assert all(words["title"] and words["says"] for words in told.values())
    assert [verb for verb, words in told.items() if words.get("rider")] == ["destroy"]
    assert [verb for verb, words in told.items() if words.get("stays")] == ["hold", "disband"]
    for name, code in scripts():
        assert not re.search(r"destroy|disband|designate", code), name
    table = hosting.sandbox("scottomacy")
    view = access.look(table.key, None)
    unit = view.position.of("England")[0]
    lines = [f"{unit.kind} {unit.at.province} {word}" for word in ("holds", "destroys a boat", "flies")]
    form = {"power": "England", "ordinal": "0", "text": "\n".join(lines)}
    rows = client_of().post(f"/t/{table.key}/preview", form).json()["rows"]
    found = {row["text"].split(" ")[2]: (row["verb"], row["rider"], row["at"]) for row in rows}
    assert found["holds"] == ("hold", False, unit.at.province)
    assert found["destroys"] == ("destroy", True, unit.at.province)
    assert found["flies"] == ("", False, "")


def test_choices_name_numbers_and_names() -> None:
    """Where provinces go by numbers, the guide of the desk says both, and what kind of unit it speaks of."""
    table = hosting.sandbox("indianomacy")
    told = json.loads(choices(access.look(table.key, None), "Iroquois"))
    (seneca,) = (unit for unit in told["units"] if unit["at"] == "14")
    assert (seneca["name"], seneca["words"]) == ("W 14", "war party in 14 (Seneca)")
    assert told["keys"]["13"] == ["13", "13 (Cayuga)"]
    assert told["keys"]["W 11"] == ["11", "W 11 (Oneida)"]


def test_nobody_waits_for_a_deadline_that_is_not_there() -> None:
    """A player can ask to wait for the deadline only where there is one."""
    [user] = people(1)
    for pace, offered in (("by hand", False), ("weekly", True)):
        table = running([user], TableSettings(pace=pace, deadlines=PACES[pace]))
        power = power_of(table, user)
        submission.submit(table, power, [holding(table, user)], Submission(0), user=user, now=NOW)
        assert ("Wait for the deadline" in text(client_of(user), f"/t/{table.key}/")) is offered


def test_a_projector_shows_no_secrets() -> None:
    """The projector view of a player, and its map, have nothing of the player's orders, and follow the game."""
    [user] = people(1)
    table = running([user])
    power = power_of(table, user)
    submission.submit(table, power, [holding(table, user)], Submission(0), user=user, now=NOW)
    client = client_of(user)
    page = client.get(f"/t/{table.key}/projector/").content.decode()
    layer = unescape(re.search(r'data-layer="([^"]+)"', page)[1])  # type: ignore[index]
    assert "data-live=" in page
    assert "Powers" in page
    assert 'id="orders-form"' not in page
    for address, shown in ((f"/t/{table.key}/layer.svg", True), (layer, False)):
        assert ("<title>" in client.get(address).content.decode()) is shown
