"""The Gamesmaster's page of letters: who may open it, what is saved, corrected, refused and asked."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from gamesmaster.host.games import deadlines
from gamesmaster.host.gm import post
from gamesmaster.host.models import Message, Receipt, Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import HOUR, NOW, people, person, power_of, running
from tests.host.test_cline_house import table_of
from tests.host.world import PHASES, ROLES, make_world, words_in

pytestmark = pytest.mark.django_db
SHEET = """\
France:
A Par - Bur
A Mar S Par - Bur
F Bre - Nowhere

Italy:
A Ven H
A Rom - Apu
F Nap - Ion
Retreats:
A Ven - Tri
"""
FRANCE = ["A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mao"]


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)


class Page:
    """The page in a browser without scripts: its fields go back with the button that is pressed."""

    def __init__(self, table: Table, gm: User) -> None:
        self.client, self.address = Client(), f"/t/{table.key}/gm/letters"
        self.client.force_login(gm, backend="django.contrib.auth.backends.ModelBackend")
        self.fields: dict[str, Any] = {}
        self.text = ""
        self.status = self._show(self.client.get(self.address))

    def _show(self, answer: Any) -> int:
        html = answer.content.decode()
        form = html.partition("multipart/form-data")[2]
        self.fields, done = {}, []
        for tag in re.findall(r"<input [^>]*>", form):
            found = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if found["name"] == "done":
                done.append(unescape(found["value"]))
            elif found.get("type") != "file":
                self.fields[found["name"]] = unescape(found.get("value", ""))
        for name, text in re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)', form):
            self.fields[name] = unescape(text).removeprefix("\n")
        self.fields["done"] = done
        self.text = " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
        self.buttons = {
            unescape(name): value for value, name in re.findall(r'<button[^>]*value="([^"]*)"[^>]*>([^<]*)<', form)
        }
        self.names = {
            unescape(re.sub(r"\s*<.*", "", label)): name
            for name, label in re.findall(r'<label for="([^"]*-\d+)">(.*?)</label>', form)
        }
        return int(answer.status_code)

    def press(self, button: str, **more: Any) -> int:
        """Press a button; returns the status of the answer."""
        self.status = self._show(self.client.post(self.address, {**self.fields, "do": self.buttons[button], **more}))
        return self.status

    def write(self, line: str, text: str) -> None:
        """Write into the field beside a line."""
        self.fields[self.names[line]] = text

    def read(self, text: str = "", **files: str) -> int:
        """Paste a text, or upload files named so (an underscore stands for the dot)."""
        sent = [SimpleUploadedFile(name.replace("_", "."), body.encode()) for name, body in files.items()]
        return self.press("Read", text=text, files=sent)


@pytest.fixture
def table() -> Table:
    """A game of two players, a Gamesmaster (`player3`) and bots; France is played by a person."""
    users = people(3)
    return running(users[:2], gm=users[2])


@pytest.fixture
def page(table: Table) -> Page:
    """The page as the Gamesmaster sees it."""
    assert table.gm is not None
    return Page(table, table.gm)


def saved(table: Table) -> dict[str, list[str]]:
    """The orders that the site has."""
    return {sheet.power: sheet.lines for sheet in Sheet.objects.filter(table=table)}


# -- who may open it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_it_is_the_gamesmasters_alone(phase: str) -> None:
    """Only a Gamesmaster who may see orders gets it, while the game is played; nobody else reads or saves anything."""
    world = make_world(phase)
    address, before = f"/t/{world.table.key}/gm/letters", saved(world.table)
    sent = {"ordinal": world.table.ordinal, "text": "Austria:\nA Vie H", "do": "read"}
    for role in ROLES:
        played = phase not in ("forming", "finished")
        wanted = 302 if role == "stranger" else 200 if role == "gm" and played else 404
        client = world.client(role)
        assert client.get(address).status_code == wanted, role
        assert client.post(address, sent).status_code == wanted, role
        assert ("gm/letters" in client.get(f"/t/{world.table.key}/gm/").content.decode()) == (wanted == 200), role
    assert saved(world.table) == before


def test_players_are_known_to_the_gamesmaster_alone() -> None:
    """In an anonymous game a letter is its sender's as well, since the Gamesmaster knows who that is."""
    users = people(2)
    table = running(users[:1], TableSettings(anonymity="always"), gm=users[1])
    page = Page(table, users[1])
    page.read(
        letter_eml="From: player1 <p@example.org>\nSubject: orders\n\nA Vie H\nA Par H\nA Ber H\nA Rom H\nA Smy H\n"
    )
    assert f"Accept for {power_of(table, users[0])}" in page.buttons


# -- saving ----------------------------------------------------------------------------------------------------------


def test_nothing_is_saved_before_it_is_accepted(table: Table, page: Page) -> None:
    """Each line stands beside its reading, doubtful powers and lines first; only the accepted set is saved."""
    assert page.read(SHEET) == 200
    assert not Sheet.objects.exists()
    assert page.text.index("France") < page.text.index("Italy")
    assert list(page.names)[:3] == ["F Bre - Nowhere", "A Par - Bur", "A Mar S Par - Bur"]
    for said in ("1 line is not clear", "no province 'Nowhere'", "A Marseilles supports A Paris - Burgundy"):
        assert said in page.text
    assert "A Ven - Tri for the retreats A Venice - Trieste" in page.text
    assert page.press("Accept for Italy") == 200
    assert saved(table) == {"Italy": ["A Ven H", "A Rom - Apu", "F Nap - Ion"]}
    receipt = Receipt.objects.get(table=table)
    assert (receipt.power, receipt.channel) == ("Italy", "gm")
    assert f"|{receipt.code}|" in page.text.replace("GM1|", "|")
    assert Message.objects.filter(text="The Gamesmaster has entered orders for Italy.").count() == 1
    assert set(page.buttons) == {"Read", "Accept for France", "Ask France"}, "the rest stays"
    page.read("Germany: A Mun H")
    assert {"Accept for France", "Accept for Germany"} <= set(page.buttons)
    assert "Accept for Italy" not in page.buttons


def test_a_doubtful_line_is_corrected_or_emptied(table: Table, page: Page) -> None:
    """A set with a line that is not clear is refused; it is saved when that is corrected, or by accepting it anyway."""
    page.read(SHEET)
    assert page.press("Accept for France") == 409
    assert "some lines are not clear" in page.text
    assert "F Bre has no order and will hold" in page.text
    page.write("F Bre - Nowhere", "F Bre dances off")
    assert page.press("Accept for France") == 422
    assert "a correction cannot be read" in page.text
    assert page.fields[page.names["F Bre - Nowhere"]] == "F Bre dances off"
    assert not Sheet.objects.exists()
    page.write("F Bre - Nowhere", "F Bre - Mao")
    page.press("Read")
    assert "F Brest - Mid-Atlantic Ocean" in page.text
    assert page.press("Accept for France") == 200
    assert sorted(saved(table)["France"]) == sorted(FRANCE)


def test_a_set_that_lacks_orders_is_asked_about(table: Table, page: Page) -> None:
    """What leaves a unit without an order is shown first, as wherever the Gamesmaster enters orders."""
    page.read(SHEET)
    page.write("F Bre - Nowhere", "")
    page.write("A Par - Bur", "")
    assert page.press("Accept for France") == 409
    assert "A Par has no order and will hold" in page.text
    assert not Sheet.objects.exists()
    assert page.press("Accept it anyway") == 200
    assert saved(table) == {"France": ["A Mar S A Par - Bur"]}


def test_what_was_saved_meanwhile_is_not_overwritten_unseen(table: Table, page: Page) -> None:
    """A set that the player has sent since is shown, and replaced only by accepting once more."""
    page.read(SHEET)
    own = ["A Ven - Pie"]
    submission.submit(table, "Italy", own, Submission(0), user=table.gm, now=NOW)
    assert page.press("Accept for Italy") == 409
    assert "Set 1 was saved for Italy after you opened the page" in page.text
    assert "Italy already has set 1" in page.text
    assert "A Ven - Pie" in page.text
    assert saved(table) == {"Italy": own}
    assert page.press("Accept for Italy") == 200
    assert saved(table)["Italy"] == ["A Ven H", "A Rom - Apu", "F Nap - Ion"]
    del page.fields["done"]
    page.read("Italy: A Ven H")
    key = page.names["A Ven H"].partition("-")[0]
    del page.fields[f"{key}-saved"]
    assert page.press("Accept for Italy") == 409, "who does not say what was seen has seen nothing"


def test_retreats_sent_ahead_are_kept_where_the_game_keeps_them(table: Table, page: Page) -> None:
    """What a letter has for later phases is shown as such, and kept with the set or said to be lost."""
    page.read(SHEET)
    assert "This game does not keep these orders sent ahead: A Ven - Tri." in page.text
    *guests, gm = [person(f"guest{number}") for number in range(10)]
    table = table_of(guests, gm)
    user = next(user for user in guests if power_of(table, user) == "France")
    ahead = "A Par - Bur\nA Mar H\nF Bre H\nRetreats:\nA Mar - Gas\n"
    page = Page(table, gm)
    page.read(f"France:\n{ahead}")
    assert "A Mar - Gas for the retreats A Marseilles - Gascony" in page.text
    assert "does not keep" not in page.text
    submission.submit(table, "France", f"{ahead}A Mar - Spa\n", Submission(0), user=user, now=NOW)
    assert page.press("Accept for France") == 409, "the same orders, but others sent ahead"
    assert "Kept for retreats: A Mar - Gas A Mar - Spa" in page.text
    assert page.press("Accept for France") == 200
    assert Sheet.objects.get(power="France").ahead == {"retreats": ["A Mar - Gas"]}
    page.read(orders_txt="France:\nA Par H\nA Mar H\nF Bre H\n", later_txt="France:\nRetreats:\nA Par - Gas\n")
    assert page.press("Accept for France") == 200
    assert page.press("Accept for France") == 200, "a letter with nothing but retreats is a set of its own"
    sheet = Sheet.objects.get(power="France")
    assert (sheet.lines, sheet.ahead) == (["A Par H", "A Mar H", "F Bre H"], {"retreats": ["A Par - Gas"]})


def test_a_phase_that_is_over_is_refused(table: Table, page: Page) -> None:
    """What was read for a phase is never saved for another; while the clock stands still it may be."""
    assert table.gm is not None
    page.read(SHEET)
    processing.process(table, 0, "asked", now=NOW + HOUR)
    assert page.press("Accept for Italy") == 409
    assert "Spring 1901 Movement is over; orders are now due for Fall 1901 Movement" in page.text
    assert set(page.buttons) == {"Read"}
    assert not Sheet.objects.exists()
    table.refresh_from_db()
    deadlines.pause(table, table.gm, now=NOW + HOUR)
    page.read("Turkey: A Con H; A Smy H; F Ank H")
    assert page.press("Accept for Turkey") == 200


# -- letters ---------------------------------------------------------------------------------------------------------


def test_a_letter_of_nobody_is_said_so(table: Table, page: Page) -> None:
    """A letter that names no power is shown with the reason; the Gamesmaster says whose it is."""
    page.read(note_txt="A Lon - Yor\nF Lon - Nth\n")
    assert "note.txt: it names no power: A Lon - Yor, F Lon - Nth" in page.text
    (name,) = re.findall(r'name="(\w+-power)"', page.client.post(page.address, page.fields).content.decode())
    page.press("Read again", **{name: "England"})
    assert page.names.keys() == {"A Lon - Yor", "F Lon - Nth"}
    page.write("A Lon - Yor", "A Lpl - Yor; F Edi - Nwg")
    assert page.press("Accept for England") == 200
    assert saved(table)["England"] == ["A Lpl - Yor", "F Edi - Nwg", "F Lon - Nth"]


def test_the_latest_letter_counts(page: Page) -> None:
    """Of several letters of a power the latest counts, however they come; the others are shown as replaced."""
    mail = "From: {0} <{0}@example.org>\nDate: Fri, 27 Nov 2026 {1}:00:00 +0000\nSubject: orders\n\n{2}\n"
    page.read(late_eml=mail.format("Italy", 11, "A Ven H"))
    page.read(early_eml=mail.format("Italy", 10, "A Ven - Tri"))
    assert list(page.names) == ["A Ven H"]
    assert "Replaced by a later letter Italy" in page.text
    box = "".join(f"From x Fri Nov 27 10:00:00 2026\n{mail.format(p, 12, t)}\n" for p, t in (("Italy", "A Rom H"),
                  ("Russia", "A War H")))  # fmt: skip
    page.read(season_mbox=box)
    assert sorted(page.names) == ["A Rom H", "A War H"]


@pytest.mark.parametrize(
    ("text", "files", "words"),
    [
        ("", {"a_txt": "x" * (256 * 1024 + 1)}, "a letter of more than 256 KiB"),
        ("", {"a_txt": "x" * 1024 * 600, "b_txt": "x" * 1024 * 600}, "more than 1024 KiB together"),
        ("", {"a_txt": "ab\0c"}, "a.txt is not a letter"),
        ("", {"a_txt": "x" * 200_000, "b_txt": "y" * 200_000}, "at most 100 letters of 256 KiB"),
        ("France:\n" + "A Par - Nowhere\n" * 801, {}, "more than 800 lines"),
    ],
    ids=["letter", "files", "binary", "together", "lines"],
)
def test_too_much_is_refused(page: Page, text: str, files: dict[str, str], words: str) -> None:
    """What is too large or not a text is refused with words; what was on the page stays there."""
    page.read("Italy: A Ven H")
    assert page.read(text, **files) == 409
    assert words in page.text
    assert page.fields["text"] == text
    assert list(page.names) == ["A Ven H"]


def test_too_many_letters_are_refused(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """So are more letters than the page shows."""
    monkeypatch.setattr(post, "MOST_LETTERS", 1)
    assert page.read(a_txt="Italy: A Ven H", b_txt="France: A Par H") == 409
    assert not page.names


@pytest.mark.parametrize(
    "letters", ["{", '[{"text": 1}]', '[{"text": "a", "sent": "2027-01-01T00:00:00"}]', '[{"text": "\\ud800"}]']
)
def test_forged_letters_are_refused(page: Page, letters: str) -> None:
    """What the page cannot have sent is refused, and nothing breaks."""
    page.fields["letters"] = letters
    assert page.press("Read") == 409
    assert "The letters on the page cannot be read" in page.text


def test_letters_are_text(page: Page) -> None:
    """Markup in a letter is shown as it was written."""
    evil = "<script>zqx</script>"
    page.read(mail_eml=f"From: {evil} <a@example.org>\nSubject: {evil}\n\nItaly: A Ven {evil}\nA Rom H\n")
    html = page.client.post(page.address, page.fields).content.decode()
    assert "zqx" in html
    assert evil not in html


# -- asking back -----------------------------------------------------------------------------------------------------


def test_a_query_is_drafted_and_sent(table: Table, page: Page) -> None:
    """A draft quotes what is not clear; it is sent, as the Gamesmaster left it, to that player alone."""
    page.read(SHEET)
    assert "Ask Italy" not in page.buttons
    page.press("Ask France")
    (name,) = (name for name in page.fields if name.endswith("-query"))
    assert "F Bre - Nowhere" in page.fields[name]
    assert "A Marseilles supports A Paris - Burgundy" in page.fields[name]
    assert not Message.objects.filter(sender="", to=["France"]).exists()
    page.fields[name] = "Where to, <b>dear</b> friend?"
    page.press("Accept for Italy")
    assert page.fields[name] == "Where to, <b>dear</b> friend?", "a draft outlasts what is done elsewhere"
    assert page.press("Send to France") == 200
    message = Message.objects.get(table=table, to=["France"])
    assert (message.sender, message.shown_as) == ("", "Gamesmaster")
    assert message.text == "Where to, <b>dear</b> friend?"
    assert {"Accept for France", "Ask France"} <= set(page.buttons)
    page.press("Ask France")
    page.fields[next(name for name in page.fields if name.endswith("-query"))] = " "
    assert page.press("Send to France") == 422
    assert "The message is empty" in page.text


def test_what_is_read_reaches_nobody_else() -> None:
    """While letters are on the Gamesmaster's page, nobody else reads a word of them anywhere."""
    world = make_world("moves")
    assert world.table.gm is not None
    page = Page(world.table, world.table.gm)
    page.read("Austria:\nA Vie H\nzqletter goes nowhere\nA Bud - zqplace")
    assert words_in(page.text, ["zqplace"])
    for role in ROLES:
        for address in ("", "gm/", "press/", "gm/letters"):
            answer = world.client(role).get(f"/t/{world.table.key}/{address}").content.decode()
            assert not words_in(answer, ["zqletter", "zqplace"]), (role, address)
