from __future__ import annotations

import base64
import quopri
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.mailroom import addresses, intake, mime, reading
from gamesmaster.host.models import InMail, Message, OutMail, Receipt, Sheet, Table
from gamesmaster.host.orders import receipts
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import NOW, people, person, power_of, running
from tests.host.mailing import address, answer, letter, sent, sheet

pytestmark = pytest.mark.django_db

ORDERS = {
    "Austria": ["A Vie - Gal", "A Bud - Ser", "F Tri - Alb"],
    "England": ["F Lon - Nth", "F Edi - Nwg", "A Lvp - Yor"],
    "France": ["A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mao"],
    "Germany": ["F Kie - Den", "A Ber - Kie", "A Mun - Ruh"],
    "Italy": ["A Ven H", "A Rom - Apu", "F Nap - Ion"],
    "Russia": ["A Mos - Ukr", "A War - Gal", "F Sev - Bla", "F Stp/SC - Bot"],
    "Turkey": ["A Con - Bul", "A Smy - Con", "F Ank - Bla"],
}


def own_orders(table: Table, user: User) -> list[str]:
    """Orders for the power that a user plays."""
    return ORDERS[power_of(table, user)]


def test_orders_are_stored_and_told(table: Table, player: User) -> None:
    """A mail of orders is stored, and its answer says what was understood and hands out a receipt that holds."""
    wanted = own_orders(table, player)
    assert sent(player, address(table, player), "\n".join(wanted)).code == 250
    assert sheet(table, player) == wanted
    told = answer(player)
    assert f"Saved for {power_of(table, player)}, S1901M (set 1)" in told
    receipt = next(line for line in told.split("\n") if line.startswith("GM1|"))
    assert receipts.check(receipt).current
    assert Sheet.objects.get(table=table, power=power_of(table, player)).channel == "mail"


def test_the_whole_grammar_of_sheets(table: Table, player: User) -> None:
    """Headings, semicolons, remarks and long words are read as everywhere; greetings are passed over."""
    first, second, *_ = own_orders(table, player)
    power = power_of(table, player)
    orders = f"{first.lower()}  # as agreed; {second}\n{second}; {first} - Xyzxyz\n"
    text = f"Dear Gamesmaster,\n\nOrders for {power}:\n{orders}"
    sent(player, address(table, player), text)
    assert sheet(table, player) == [first.lower(), second]
    told = answer(player)
    assert "Not understood" in told
    assert "Dear Gamesmaster" not in told
    assert "line 5, column" in told


def test_orders_for_others_are_not_taken(table: Table, player: User) -> None:
    """A section for another power is refused, the writer's own is stored."""
    other = next(power for power in ORDERS if power != power_of(table, player))
    own = own_orders(table, player)
    sent(player, address(table, player), "\n".join([*own, f"{other}:", *ORDERS[other]]))
    assert sheet(table, player) == own
    assert f"You do not give orders for {other}" in answer(player)
    assert not Sheet.objects.filter(table=table, power=other).exists()


def test_ready_is_not_taken_from_a_mail_with_orders_for_others(table: Table, player: User) -> None:
    """Nor from one that is too long to be read: its writer may mean other orders than those that are saved."""
    other = next(power for power in ORDERS if power != power_of(table, player))
    own = own_orders(table, player)
    for text in ([*own, f"{other}:", *ORDERS[other], "confirm"], ["x"] * 2_001 + ["confirm"]):
        sent(player, address(table, player), "\n".join(text))
        assert not Sheet.objects.get(table=table).confirmed
    assert sheet(table, player) == own


def test_amend_and_clear(table: Table, player: User) -> None:
    """A second set takes the place of the first, unless it amends it; `clear` takes all back."""
    first, second, third, *_ = own_orders(table, player)
    to = address(table, player)
    sent(player, to, f"{first}\n{second}")
    sent(player, to, third)
    assert sheet(table, player) == [third]
    sent(player, to, f"amend\n{first}")
    assert sheet(table, player) == [third, first]
    sent(player, to, "clear")
    assert sheet(table, player) == []


def test_confirm_and_wait(table: Table, player: User) -> None:
    """One may be ready, or want to wait for the deadline, by mail."""
    to = address(table, player)
    sent(player, to, "\n".join([*own_orders(table, player), "confirm"]))
    assert Sheet.objects.get(table=table).confirmed
    sent(player, to, "WAIT.")
    found = Sheet.objects.get(table=table)
    assert (found.confirmed, found.hold) == (False, True)


def test_nobody_is_ready_with_lines_that_were_not_understood(table: Table, player: User) -> None:
    """A mail with a line that is no order makes nobody ready: the order would be lost."""
    first, second, *_ = own_orders(table, player)
    place = second.split(" - ")[0]
    sent(player, address(table, player), f"{first}\n{place} - Xyzxyz\nready")
    assert "You are not ready: some lines of this mail were not understood." in answer(player)
    assert not Sheet.objects.get(table=table).confirmed


def test_a_preview_by_mail_is_a_report(player: User) -> None:
    """The Gamesmaster who looks ahead by mail gets the words of a report."""
    gm = person("gamesmaster")
    table = running([player], gm=gm)
    sent(player, address(table, player), own_orders(table, player)[0])
    sent(gm, addresses.runner(table, gm, table.ordinal), "preview")
    told = answer(gm)
    assert "Preview of Spring 1901 Movement (S1901M)" in told
    assert power_of(table, player) in told
    assert "Ruling(" not in told


def test_a_correction_of_the_board_by_mail(player: User) -> None:
    """It is shown first, and carried out by the same lines with SURE; players cannot do it."""
    gm = person("gamesmaster")
    table = running([player], gm=gm)
    to = addresses.runner(table, gm, table.ordinal)
    lines = "reason: a slip\nFrance: A PIC, A MAR, F BRE\nend correction"
    sent(gm, to, f"correct board\n{lines}\nstatus")
    assert "A Pic (France) is put on the board." in answer(gm)
    assert "Nothing is changed yet." in answer(gm)
    assert not store.load(Table.objects.get(pk=table.pk)).corrections
    sent(gm, to, f"CORRECT BOARD SURE\n{lines}")
    assert "The board is corrected, and everyone has been told." in answer(gm)
    assert [one.why for one in store.load(Table.objects.get(pk=table.pk)).corrections] == ["a slip"]
    sent(gm, to, "undo correction")
    assert "The last correction of the board has been undone" in answer(gm)
    assert not store.load(Table.objects.get(pk=table.pk)).corrections
    sent(player, address(table, player), f"correct board sure\n{lines}")
    assert "Only the Gamesmaster can do that." in answer(player)


def test_only_orders_that_came_are_final(table: Table, player: User) -> None:
    """Who is ready without orders is refused in plain words; who has too few is told which units have none."""
    to = address(table, player)
    for word, told in (("confirm", "so you cannot be ready"), ("wait", "so the phase waits for you anyway")):
        sent(player, to, word)
        assert f"You have sent no orders for S1901M, {told}" in answer(player)
        assert not Sheet.objects.exists()
    sent(player, to, own_orders(table, player)[0])
    sent(player, to, "confirm")
    assert "You are ready: your orders are final." in answer(player)
    assert "has no order and will hold." in answer(player)
    assert Sheet.objects.get(table=table).confirmed


def test_press(table: Table, player: User) -> None:
    """Press goes to whom it names, up to its end; what follows is read as orders again."""
    other, third = [power for power in ORDERS if power != power_of(table, player)][:2]
    order = own_orders(table, player)[0]
    text = f"press to {other} and {third}\nA Par - Bur is what they say.\n\nTrust me.\nendpress\n{order}"
    sent(player, address(table, player), text)
    made = Message.objects.get(sender=power_of(table, player))
    assert (made.to, made.text) == ([other, third], "A Par - Bur is what they say.\n\nTrust me.")
    assert sheet(table, player) == [order]


def test_grey_press_where_it_is_allowed(player: User) -> None:
    """Unsigned press is refused where the table does not allow it, and shows no name where it does."""
    table = running([player])
    sent(player, address(table, player), "press grey to all\nBeware.")
    assert "Press must be signed" in answer(player)
    grey = running([player], TableSettings(grey=True))
    sent(player, address(grey, player), "grey press to all\nBeware.")
    made = Message.objects.get(table=grey, text="Beware.")
    assert (made.shown_as, made.to) == ("anonymous", [])


@pytest.mark.parametrize("command", ["press", "press to ,", "press to all, France"])
def test_press_that_names_nobody(table: Table, player: User, command: str) -> None:
    """Press without readers, or with all and others, is sent to nobody, and the answer says so."""
    sent(player, address(table, player), f"{command}\nA secret.")
    assert "Not done:" in answer(player)
    assert not Message.objects.filter(sender=power_of(table, player)).exists()


def test_a_broadcast_is_for_all(table: Table, player: User) -> None:
    """The word itself says who reads it."""
    sent(player, address(table, player), "broadcast\nHello.")
    assert Message.objects.get(sender=power_of(table, player)).to == []
    assert "Sent to everybody" in answer(player)


def test_votes(table: Table, player: User) -> None:
    """A draw agreed by all people, the bots agreeing, ends the game by mail."""
    sent(player, address(table, player), "vote draw")
    table.refresh_from_db()
    assert table.state == "finished"
    assert "Your vote was the last one needed: the game is over." in answer(player)


def test_questions(table: Table, player: User) -> None:
    """Status, history, board, orders, list and help are answered."""
    sent(player, address(table, player), "status\nhistory\nboard\norders\nlist\nhelp\nreport S1950M\nvote for Narnia")
    told = answer(player)
    for part in (
        "S1901M",
        "the beginning",
        "> board",
        "You have no saved orders",
        "Games with a free seat",
        "endpress",
    ):
        assert part.casefold() in told.casefold(), part
    assert "no results for a phase S1950M" in told
    assert "no power 'narnia'" in told


def test_the_board_in_words_shows_own_orders(table: Table, player: User) -> None:
    """The board shows what its reader has ordered, as the map does."""
    sent(player, address(table, player), "\n".join(own_orders(table, player)))
    sent(player, address(table, player), "board")
    assert f"\nOrders of {power_of(table, player)}:\n" in answer(player)


def test_a_map(table: Table, player: User) -> None:
    """A map is drawn when the answer goes out, as its reader may see it."""
    from gamesmaster.host.mailroom.compose import compose_mail

    for kind, sign in (("png", b"\x89PNG"), ("svg", b"<svg")):
        sent(player, address(table, player), f"map {kind}")
        mail = OutMail.objects.filter(event="answer").latest("pk")
        (attached,) = [a for a in compose_mail(mail).attachments if isinstance(a, tuple)]
        assert attached[0] == f"{table.key}-S1901M.{kind}"
        data = attached[1].encode() if isinstance(attached[1], str) else attached[1]
        assert isinstance(data, bytes)
        assert sign in data[:200]
    assert b">Seven at a table (Diplomacy)</text>" in data


def test_joining_by_mail() -> None:
    """Whoever has an account sits down by mail, gets up again, and learns of open tables."""
    owner, guest = people(2)
    table = hosting.create(owner, GameChoice("standard", name="An open one"), now=NOW)
    own = addresses.person(guest)
    sent(guest, own, "list")
    assert f"{table.key}: An open one" in answer(guest)
    sent(guest, own, f"join {table.key} prefer France, Italy")
    assert table.seats.get(user=guest).preferences == ["France", "Italy"]
    sent(guest, own, f"leave {table.key}")
    assert not table.seats.filter(user=guest).exists()


@pytest.mark.parametrize(
    ("powers", "text", "told"),
    [
        ("lot", "join {key} as Italy", "Your wish for Italy has no effect: powers are drawn by lot"),
        ("lot", "join {key} prefer France, Italy", "Your wish for France, Italy has no effect"),
        ("preference", "join {key} as Italy", "Your wish for Italy is noted"),
        ("preference", "join {key} prefer France, Italy", "Your wish for France, Italy is noted"),
    ],
)
def test_a_wish_is_answered(powers: str, text: str, told: str) -> None:
    """Whoever wishes for a power by mail hears whether that counts; a wish that comes later changes nothing."""
    owner, guest = people(2)
    table = hosting.create(
        owner, GameChoice("standard", name="A club"), TableSettings.model_validate({"powers": powers}), now=NOW
    )
    sent(guest, addresses.person(guest), text.format(key=table.key))
    assert f"You have joined A club.\n{told}" in answer(guest)
    sent(guest, addresses.person(guest), f"join {table.key} as Turkey")
    assert "You have a seat in A club.\nYour wish for Turkey" in answer(guest)
    sent(guest, addresses.person(guest), f"join {table.key} as Atlantis")
    assert "Not done: no power 'atlantis'" in answer(guest)


@pytest.mark.parametrize(
    ("powers", "declined"),
    [
        ("lot", "Your wish for Italy had no effect: powers were drawn by lot."),
        ("preference", "Your wish for Italy could not be granted: others had the same wish."),
    ],
)
def test_a_wish_is_answered_when_the_game_begins_with_it(powers: str, declined: str) -> None:
    """Whoever takes the last seat hears which power was dealt, and of a wish that was not granted why."""
    owner, *others, last = people(7)
    settings = TableSettings.model_validate({"powers": powers})
    for number in range(20):
        table = hosting.create(owner, GameChoice("standard", name=f"Club {number}"), settings, now=NOW)
        for user in (owner, *others):
            seats.join(table, user, preferences=["Italy"], now=NOW)
        sent(last, addresses.person(last), f"join {table.key} as Italy")
        power, told = power_of(table, last), answer(last)
        assert f"You have joined Club {number} as {power}." in told
        assert (declined in told) is (power != "Italy")
        if power != "Italy":
            break
    assert power != "Italy"


def test_full_games_are_not_offered() -> None:
    """A game without a free seat that has not begun is not in the list of those with one."""
    owner, guest = people(2)
    settings = TableSettings(starts="asked")
    full = hosting.create(owner, GameChoice("standard", name="A full one"), settings, now=NOW)
    sent(guest, addresses.person(guest), "list")
    assert f"{full.key}: A full one (Diplomacy), 0 of 7 seats taken" in answer(guest)
    seats.add_bot(full, "holder", owner, all_free=True, now=NOW)
    sent(guest, addresses.person(guest), "list", Message_ID="<again@example.org>")
    assert "A full one" not in answer(guest)
    assert "Games with a free seat:\n  none at the moment" in answer(guest)


def test_absence_and_kinds_of_mail(player: User) -> None:
    """Days away and mails not wanted are noted by mail."""
    sent(player, addresses.person(player), "away 2027-07-01 to 2027-07-14\nstop press")
    assert player.absences.count() == 1
    player.refresh_from_db()
    assert player.profile.notices == {"press": "none"}
    sent(player, addresses.person(player), "start")
    player.profile.refresh_from_db()
    assert set(player.profile.channels.values()) == {"mail"}


def test_orders_for_a_phase_that_is_over(table: Table, player: User) -> None:
    """What was written for one phase is never taken for the next (A4)."""
    from gamesmaster.host.phases import processing

    to = address(table, player)
    Table.objects.filter(pk=table.pk).update(graced=0)
    late = table.deadline
    assert late is not None
    assert processing.process(table, 0, now=late + timedelta(seconds=1)) is processing.Done.PROCESSED
    table.refresh_from_db()
    text = "\n".join(own_orders(table, player))
    sent(player, to, text)
    assert "Your mail is about S1901M, which is not the phase being played" in answer(player)
    assert sheet(table, player) == []
    sent(player, to, f"phase F1901M\n{text}")
    assert sheet(table, player)
    store.load(table)


def test_an_address_without_a_phase(table: Table, player: User) -> None:
    """At one's own address a table and a phase must be named for orders; nothing is guessed."""
    own, text = addresses.person(player), own_orders(table, player)[0]
    sent(player, own, f"{text}\nsomething else")
    assert f"> {text}\n> something else\n" in answer(player)
    assert "Which game do you mean?" in answer(player)
    sent(player, own, f"table {table.key}\n{text}")
    assert "Which phase do you mean?" in answer(player)
    sent(player, own, f"table {table.key}\nphase S1901M\n{text}")
    assert sheet(table, player) == [text]


# -- whoever it comes from -------------------------------------------------------------------------------------------


def test_the_seal_decides_and_not_the_sender(table: Table, player: User) -> None:
    """A mail in somebody's name with a wrong seal is refused and its owner told, once a day (E4)."""
    good = address(table, player)
    bad = good.replace(good.split("-")[2][:4], "aaaa", 1)
    for _ in range(3):
        reply = sent(player, bad, "\n".join(own_orders(table, player)))
        assert reply.code == 550
    assert sheet(table, player) == []
    assert OutMail.objects.filter(event="answer").count() == 1
    assert "A mail in your name came to" in answer(player)


def test_any_sender_with_the_right_seal(table: Table, player: User) -> None:
    """The seal lets in whoever has it, but the answer goes to the player's own address and nowhere else (E4)."""
    order = own_orders(table, player)[0]
    mail = letter(player, address(table, player), order, From="thief@elsewhere.example")
    assert intake.take(mail.as_bytes(), "thief@elsewhere.example", mail["To"], NOW).code == 250
    assert sheet(table, player) == [order]
    assert OutMail.objects.get(event="answer").to == player.email


def test_a_seal_of_another_seat_or_phase_or_person(table: Table, player: User) -> None:
    """A seal holds for one seat, phase and person; not after the address has changed or the seat is lost."""
    good = address(table, player)
    assert addresses.box_of(good) is not None
    assert addresses.box_of(good.upper()) is not None
    seat, ordinal, seal = good.partition("@")[0].split("-")
    domain = good.partition("@")[2]
    assert addresses.box_of(f"{seat}-{int(ordinal) + 1}-{seal}@{domain}") is None
    assert addresses.box_of(f"{seat}1-{ordinal}-{seal}@{domain}") is None
    assert addresses.box_of(f"{seat}-{ordinal}-{seal}@elsewhere.example") is None
    assert addresses.box_of(f"u{player.pk}-0-{seal}@{domain}") is None
    player.email = "new@example.org"
    player.save()
    assert addresses.box_of(good) is None
    new = address(table, player)
    seats.leave(table, player, now=NOW)
    assert addresses.box_of(new) is None


def test_unknown_senders_learn_nothing(player: User) -> None:
    """To the public address known and unknown senders get the same reply; only the known one is written to (E9)."""
    stranger = User(email="stranger@elsewhere.example")
    to = f"gamesmaster@{addresses.person(player).partition('@')[2]}"
    replies = [str(sent(one, to, "status")) for one in (player, stranger, player)]
    assert len(set(replies)) == 1
    assert OutMail.objects.count() == 1
    assert "Nothing in your mail was done" in answer(player)


def test_the_same_mail_twice(table: Table, player: User) -> None:
    """A mail that comes again does nothing again and is not answered again (E5)."""
    mail = letter(player, address(table, player), "press to all\nOnce.")
    for _ in range(3):
        intake.take(mail.as_bytes(), player.email, mail["To"], NOW + timedelta(minutes=5))
    assert Message.objects.filter(text="Once.").count() == 1
    assert OutMail.objects.filter(event="answer").count() == 1
    assert InMail.objects.count() == 1


def test_a_replayed_mail_of_earlier(table: Table, player: User) -> None:
    """An old mail is not done, though it comes for the first time; nor is one from the future (E5)."""
    to, text = address(table, player), "\n".join(own_orders(table, player))
    for days in (-8, 3):
        sent(player, to, text, Date=format_datetime(NOW + timedelta(days=days)))
        assert "Your mail has a date that is too far from today's" in answer(player)
    assert sheet(table, player) == []


def test_newer_orders_stand(table: Table, player: User) -> None:
    """A mail that was long on its way does not take the place of orders that were written after it (A4, E5)."""
    first, second, *_ = own_orders(table, player)
    to = address(table, player)
    sent(player, to, second)
    sent(player, to, first, Date=format_datetime(NOW - timedelta(hours=3)))
    assert "older than the orders" in answer(player)
    assert sheet(table, player) == [second]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated; owner=x"},
        {"Precedence": "bulk"},
        {"List_Id": "<friends.example>"},
        {"X_Autoreply": "yes"},
        {"X_Autorespond": "Re: your mail"},
        {"X_Mail_Autoreply": "yes"},
        {"X_Autoresponder": "1"},
        {"X_Auto_Response": "1"},
        {"X_Gamesmaster": "1"},
        {"From": "MAILER-DAEMON@example.org"},
        {"Message_ID": "<1@127.0.0.1>"},
    ],
)
def test_what_programs_write(table: Table, player: User, headers: dict[str, str]) -> None:
    """Mails that a program wrote are neither done nor answered: no two of them ever talk to each other (E6)."""
    text = "\n".join(own_orders(table, player))
    assert sent(player, address(table, player), text, **headers).verdict == "ignored"
    assert sheet(table, player) == []
    assert not OutMail.objects.filter(event="answer").exists()


NOTES = (
    "I am out of the office until Monday, 11 January, and will answer then. In urgent cases write to my colleague"
    " Anna Holland (anna@example.org, phone +44 20 5550 123).\n\nKind regards\nPaul Kiel",
    "Vielen Dank für Ihre Nachricht. Ich bin bis zum 11.1. nicht im Büro. Ihre E-Mail wird nicht weitergeleitet.",
    "Bonjour,\nje suis absent du bureau jusqu'au 11 janvier. En cas d'urgence, contactez Mme Berlin à Paris.\nMerci",
)


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Auto_Response_Suppress": "All"},
        {"Subject": "Out of Office: [game] S1901M"},
        {"Subject": "Automatic reply: results"},
        {"Subject": "Abwesenheitsnotiz"},
        {"Subject": "=?utf-8?q?R=C3=A9ponse_automatique_=3A_S1901M?="},
        {"Subject": "自动答复: S1901M"},
        {"Subject": "=?utf-8?b?!?= =?x?q?y?= Fuera de la oficina"},
    ],
)
@pytest.mark.parametrize("note", NOTES)
def test_notes_of_absence_by_their_words(table: Table, player: User, note: str, headers: dict[str, str]) -> None:
    """A note of absence without the usual headers is not answered, during the game and after it (E6)."""
    player.refresh_from_db()
    mail = letter(player, address(table, player), note, **headers)
    public = "gamesmaster@127.0.0.1"
    for to in (address(table, player), addresses.person(player)):
        assert intake.take(mail.as_bytes(), player.email, to, NOW).verdict == "ignored"
    assert intake.take(mail.as_bytes(), player.email, public, NOW).verdict == "public"
    assert not OutMail.objects.filter(event="answer").exists()


@pytest.mark.parametrize("headers", [{"Subject": "Re: Out of office"}, {"X_Auto_Response_Suppress": "OOF"}])
def test_orders_under_the_subject_of_a_note_of_absence(table: Table, player: User, headers: dict[str, str]) -> None:
    """What may be orders, and any command, is done and answered whatever the subject says."""
    first, *_others = own_orders(table, player)
    sent(player, address(table, player), f"I am back.\n{first}", **headers)
    assert sheet(table, player) == [first]
    sent(player, address(table, player), "status", **headers)
    assert "Austria" in answer(player)
    table.refresh_from_db()
    sent(player, address(table, player, 7), first, **headers)
    assert "not the phase being played" in answer(player)
    sent(player, address(table, player), f"{first.split(' - ')[0]} - Xyzxyz", **headers)
    assert "Not understood, and not saved" in answer(player)


def test_a_null_sender(table: Table, player: User) -> None:
    """What comes back as a bounce to a player's address is not read."""
    mail = letter(player, address(table, player), own_orders(table, player)[0])
    assert intake.take(mail.as_bytes(), "", mail["To"], NOW).verdict == "ignored"


def test_two_judges_that_answer_each_other(table: Table, player: User) -> None:
    """A loop that hides what it is ends at the limit, with a reply that lets a person's mail come later (E6)."""
    to = address(table, player)
    codes = [sent(player, to, f"What do you mean? {n}").code for n in range(45)]
    assert codes.count(250) == 40
    assert codes[-1] == 450
    assert OutMail.objects.filter(event="answer").count() == 40


# -- what stands in it -----------------------------------------------------------------------------------------------

QUOTES = {
    "angles": "On Mon, 4 Jan 2027 at 12:00, Gamesmaster <x@gm.example> wrote:\n> {old}\n",
    "wrapped": "On Mon, 4 Jan 2027 at 12:00, The Gamesmaster of Seven\n<gamesmaster@gm.example> wrote:\n\n> {old}\n",
    "French": "Le lun. 4 janv. 2027 à 12:00, Gamesmaster <x@gm.example> a écrit :\n> {old}\n",
    "Outlook": "-----Original Message-----\nFrom: x\n{old}\n",
    "Outlook, German": "________________________________\nVon: Gamesmaster\nGesendet: Montag\n{old}\n",
    "headers": "From: Gamesmaster\nSent: Monday\nTo: me\n{old}\n",
    "the mark": "irgendwann schrieb das Haus\n##- Please write above this line -##\n{old}\n",
    "forwarded": "Begin forwarded message:\n\n{old}\n",
    "signature": "-- \nA Par - Bur is my signature\n{old}\n",
}


@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
def test_quoted_orders_are_not_orders(table: Table, player: User, quote: str) -> None:
    """Only what stands above a quotation or signature is read, whatever program made it (E5)."""
    first, second, *_ = own_orders(table, player)
    sent(player, address(table, player), f"{first}\n\n{quote.format(old=second)}")
    assert sheet(table, player) == [first]


def test_what_was_not_read_is_told(table: Table, player: User) -> None:
    """Lines below a quotation and attachments are not read, and the answer says so (E5)."""
    first, second, *_ = own_orders(table, player)
    mail = letter(player, address(table, player), f"> old\n{first}")
    mail.add_attachment(second.encode(), maintype="text", subtype="plain", filename="orders.txt")
    intake.take(mail.as_bytes(), player.email, mail["To"], NOW)
    assert sheet(table, player) == []
    told = answer(player)
    assert "1 lines below a quotation were not read" in told
    assert "An attachment was not read" in told


def test_nobody_is_ready_with_orders_that_may_not_have_been_read(table: Table, player: User) -> None:
    """`ready` is refused with the reason if orders may be in an attachment or below a quotation; not for a logo."""
    first, second, *_ = own_orders(table, player)
    to, mark = address(table, player), "> ##- Please write above this line -##"
    for text in (f"{first}\nready\n\n> old\n{second}", f"{first}\nready\n{mark}\n> old\n{second}\n-- \nA Player"):
        sent(player, to, text)
        assert "You are not ready: parts of this mail were not read." in answer(player)
        assert not Sheet.objects.get(table=table).confirmed
    for kind, ready in ((("text", "plain"), False), (("application", "pdf"), False), (("text", "vcard"), True)):
        mail = letter(player, to, f"{first}\nready")
        mail.add_attachment(second.encode(), maintype=kind[0], subtype=kind[1], filename="x")
        intake.take(mail.as_bytes(), player.email, to, NOW)
        assert ("You are ready" in answer(player)) is ready
    for quote in ("> old\n> older\n-- \nA Player\nLondon", f"{mark}\n> a line that a program\nhas wrapped\n> {second}"):
        sent(player, to, f"{second}\nready\n\n{quote}")
        assert "You are ready" in answer(player)
        assert "below a quotation" not in answer(player)


def test_nothing_is_processed_below_what_was_not_done() -> None:
    """The Gamesmaster's `process` is refused with the reason if orders or a command of the same mail were (E5)."""
    ann, gm = people(2)
    table = running([ann], gm=gm)
    power = power_of(table, ann)
    to = addresses.runner(table, gm, table.ordinal)
    orders = "\n".join(ORDERS[power])
    for text, why in (
        (f"{power}:\n{orders}\nA Par - Xyzxyz\nprocess", "some lines of this mail were not understood"),
        (f"{power}:\n{orders}\nprocess\n\n> old\nA Par H", "parts of this mail were not read"),
        ("deadline 2027-99-99 20:00\nprocess", "something above in this mail was not done"),
        ("\n".join(["x"] * 2_001 + ["process"]), "the orders of this mail were not saved"),
    ):
        sent(gm, to, text)
        assert f"The phase is not processed: {why}" in answer(gm)
        assert Table.objects.get(pk=table.pk).ordinal == 0
    sent(gm, to, f"{power}:\n{orders}\nprocess")
    assert Table.objects.get(pk=table.pk).ordinal == 1


def test_html_alone(table: Table, player: User) -> None:
    """A mail of HTML alone is read as the words it shows, without scripts, styles and quotations (E5)."""
    first, second, *_ = own_orders(table, player)
    mail = letter(player, address(table, player), "x")
    mail.set_content(
        f"<html><head><style>{second}</style></head><body><script>{second}</script><div>{first}&nbsp;</div>"
        f'<div class="gmail_quote"><p>{second}</p></div></body></html>',
        subtype="html",
    )
    intake.take(mail.as_bytes(), player.email, mail["To"], NOW)
    assert sheet(table, player) == [first]


CHARSETS = ["utf-8", "iso-8859-1", "windows-1252", "utf-16", "iso-2022-jp", "koi8-r", "nonsense", "hex", "utf-7"]


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
def test_charsets(charset: str, encoding: str) -> None:
    """Whatever charset and encoding a mail has, its words are read; one it cannot have is read as best it may (E5)."""
    if charset == "utf-16" and encoding != "base64":
        return  # RFC 2781: such text goes in base64
    words = "A Mün - Köl" if charset not in ("iso-2022-jp", "koi8-r") else "A Mun - Kol"
    body = words.encode(charset if charset not in ("nonsense", "hex") else "utf-8")
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    head = (
        f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset={charset}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    mail = reading.read(mime.parse(head.encode() + body + b"\r\n"), "a@example.org", "gm.example")
    assert mail.text.strip() == words


def test_flowed_text(table: Table, player: User) -> None:
    """An order that the mail program broke in two is one order."""
    first, *_ = own_orders(table, player)
    mail = letter(player, address(table, player), "x")
    mail.set_content(first.replace(" - ", " \r\n- ", 1) + "\r\n", cte="7bit")
    mail.set_param("format", "flowed")
    intake.take(mail.as_bytes(), player.email, mail["To"], NOW)
    assert len(sheet(table, player)) == 1


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "no headers": b"\r\n\r\nA Par - Bur",
    "only a NUL": b"\0",
    "a header of 60 KB": b"Subject: " + b"x" * 60_000 + b"\r\n\r\nhello",
    "20,000 headers": b"X: y\r\n" * 20_000 + b"\r\nhello",
    "parts in parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000)
    ),
    "a boundary that never comes": b"Content-Type: multipart/mixed; boundary=x\r\n\r\nhello",
    "broken base64": b"Content-Transfer-Encoding: base64\r\n\r\n=!!A=====",
    "a mail too large": b"Subject: x\r\n\r\n" + b"y\r\n" * 100_000,
    "a line of 200 KB": b"Subject: x\r\n\r\n" + b"A Par - Bur " * 17_000,
    "10,000 lines": b"Subject: x\r\n\r\n" + b"hi\r\n" * 10_000,
    "surrogates and bidi": b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xed\xa0\x80 \xe2\x80\xae A Par - Bur",
    "half a surrogate pair": b"Content-Type: text/plain; charset=utf-7\r\n\r\npress to all\r\n+2AA-",
    "tangled HTML": b"Content-Type: text/html\r\n\r\n" + b"<div><blockquote>" * 5_000 + b"<!--" * 5_000,
    "dates of nonsense": b"Date: 99 Foo 9999999999 99:99:99 +999999\r\n\r\nstatus",
    "a reply to CR LF": b"Message-ID: <a\rb\nBcc: x@y>\r\nSubject: a\r\n b\r\n\r\nstatus",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_mails(table: Table, player: User, data: bytes) -> None:
    """Whatever comes, there is a reply at once, nothing is stored that is not an order, and nothing breaks (E2, E7)."""
    import time

    begin = time.process_time()
    reply = intake.take(data, player.email, address(table, player), NOW)
    assert time.process_time() - begin < 5
    assert reply.verdict in ("done", "refused")
    assert reply.code in (250, 554)
    for mail in OutMail.objects.filter(event="answer"):
        from gamesmaster.host.mailroom.compose import compose_mail

        assert b"\nBcc:" not in compose_mail(mail).message().as_bytes()


def test_names_are_no_headers(player: User) -> None:
    """A table's name with line ends in it adds no header to any mail (E7)."""
    from gamesmaster.host.mailroom.compose import compose_mail

    table = running([player])
    Table.objects.filter(pk=table.pk).update(name="Evil\r\nBcc: all@example.org")
    sent(player, address(table, player), "status", Message_ID="<a@example.org>")
    mail = OutMail.objects.filter(event="answer").latest("pk")
    OutMail.objects.filter(pk=mail.pk).update(subject="Evil\r\nBcc: all@example.org")
    mail.refresh_from_db()
    wire = compose_mail(mail).message()
    assert wire["Bcc"] is None
    assert isinstance(wire["Subject"], str)


def test_no_answer_holds_what_is_secret(player: User) -> None:
    """Of others' orders and press, nothing is in any answer to any question (D4)."""
    other = person("other")
    table = running([player, other])
    sent(other, address(table, other), "\n".join([*own_orders(table, other), "press to Gamesmaster\nsecret canary"]))
    secret = own_orders(table, other)[0]
    asked = "status\nhistory\nboard\norders\nlist\nreport\npreview\nmap svg"
    sent(player, address(table, player), asked)
    told = answer(player)
    assert secret not in told
    assert "canary" not in told
    assert "orders are in" not in told


def test_a_failing_mail_leaves_nothing(table: Table, player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the answer cannot be written nothing is done, and the mail may come again (A10)."""
    from django.db import OperationalError

    from gamesmaster.host.tables import outbox

    def broken(*_: object, **__: object) -> None:
        raise OperationalError("disk full")

    mail = letter(player, address(table, player), "\n".join(own_orders(table, player)))
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "answer", broken)
        assert intake.take(mail.as_bytes(), player.email, mail["To"], NOW).code == 451
    assert sheet(table, player) == []
    assert not Receipt.objects.exists()
    assert intake.take(mail.as_bytes(), player.email, mail["To"], NOW).code == 250
    assert sheet(table, player)


def test_mails_of_many_kinds_are_plain_text(table: Table, player: User) -> None:
    """A player's markup in press is text in every mail (E1)."""
    mail = EmailMessage()
    mail["To"] = address(table, player)
    mail["Message-ID"] = "<x@example.org>"
    mail.set_content("press to all\n<script>alert(1)</script>")
    intake.take(mail.as_bytes(), player.email, mail["To"], NOW)
    assert Message.objects.filter(text="<script>alert(1)</script>").exists()
