"""An account by mail alone; complaints and times by mail."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail as outgoing
from django.test import Client

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.mailroom import addresses, delivery, intake, newcomers
from gamesmaster.host.models import Complaint, OutMail, Profile, SignUp, Table
from gamesmaster.host.moderation import oversight
from gamesmaster.host.site import clock
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.settings import Deadlines, TableSettings
from tests.host.conftest import DAY, NOW, people, person, power_of, running
from tests.host.mailing import House, address, answer, sent

pytestmark = pytest.mark.django_db
PUBLIC = "gamesmaster@gm.test"
LOCAL = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture(autouse=True)
def _settings(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MAIL_DOMAIN = "gm.test"  # type: ignore[attr-defined]
    settings.DEFAULT_FROM_EMAIL = "Gamesmaster <gamesmaster@gm.test>"  # type: ignore[attr-defined]
    settings.EMAIL_BACKEND = LOCAL  # type: ignore[attr-defined]
    monkeypatch.setattr(clock, "now", lambda: NOW)


def written(sender: str, to: str, text: str, **headers: str) -> intake.Reply:
    """A mail from somebody, and what the house says to it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "hello"
    mail["Date"], mail["Message-ID"] = format_datetime(NOW), make_msgid(domain="example.org")
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return intake.take(mail.as_bytes(), sender, to, NOW)


def letters(sender: str) -> list[EmailMessage]:
    """What has gone to somebody."""
    delivery.deliver(NOW)
    return [one for one in outgoing.outbox if one.to == [sender]]  # type: ignore[misc]


def reply_to(sender: str) -> str:
    """The address to which the last letter wants its answer."""
    return str(letters(sender)[-1].extra_headers["Reply-To"])  # type: ignore[attr-defined]


def test_an_account_by_mail_alone() -> None:
    """A stranger asks, confirms, plays: before the answer nothing is there but a note, after it a whole account."""
    assert written("zoe@example.org", PUBLIC, "Hello!\n\nregister zoe\n").code == 250
    assert not User.objects.exists()
    (letter,) = letters("zoe@example.org")
    assert "reply to this e-mail with YES" in letter.body  # type: ignore[attr-defined]
    to = reply_to("zoe@example.org")
    assert addresses.plausible(to)
    assert written("zoe@example.org", to, "Yes\n\n> To create the account").code == 250
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("zoe", "zoe@example.org", False)
    assert EmailAddress.objects.get(user=user).verified
    assert (SignUp.objects.count(), Profile.objects.count()) == (0, 1)
    welcome = letters("zoe@example.org")[-1]
    assert "Your account is zoe" in welcome.body  # type: ignore[attr-defined]
    assert written("zoe@example.org", to, "YES").code == 550
    table = hosting.create(people(1)[0], GameChoice("standard", name="A table"), TableSettings(), now=NOW)
    written("zoe@example.org", reply_to("zoe@example.org"), f"join {table.key}")
    assert table.seats.filter(user=user).exists()


def test_a_password_can_be_set_later() -> None:
    """Who has an account by mail alone can have a password set for the site."""
    written("zoe@example.org", PUBLIC, "register zoe")
    written("zoe@example.org", reply_to("zoe@example.org"), "yes")
    outgoing.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": "zoe@example.org"})
    assert "/accounts/password/reset/key/" in OutMail.objects.get(event=outbox.ACCOUNT).body


@pytest.mark.parametrize("text", ["no", "Thank you, but I do not want it.", "", "> yes", "-- \nyes"])
def test_any_other_answer_makes_nothing(text: str) -> None:
    """Only a line that says yes makes an account, above what is quoted."""
    written("zoe@example.org", PUBLIC, "register zoe")
    written("zoe@example.org", reply_to("zoe@example.org"), text)
    assert not User.objects.exists()


def test_programs_make_no_accounts() -> None:
    """An absence note that quotes the letter is no answer, and to a mailing list nothing is written (E6)."""
    written("list@example.org", PUBLIC, "register zoe", List_Id="<x.example.org>")
    assert not OutMail.objects.exists()
    written("zoe@example.org", PUBLIC, "register zoe")
    written("zoe@example.org", reply_to("zoe@example.org"), "yes", Auto_Submitted="auto-replied")
    assert not User.objects.exists()


def test_nobody_is_annoyed() -> None:
    """Whoever forges senders brings three letters at most upon an address in a week, and a hundred a day upon all."""
    for number in range(9):
        written("victim@example.org", PUBLIC, f"register name{number}")
    assert len(letters("victim@example.org")) == newcomers.MOST_LETTERS
    for number in range(newcomers.MOST_A_DAY + 20):
        written(f"victim{number}@example.org", PUBLIC, f"register other{number}")
    assert OutMail.objects.filter(event="signup").count() == newcomers.MOST_A_DAY
    assert not User.objects.exists()
    assert newcomers.tidy(NOW + 8 * DAY) == SignUp.objects.count() + newcomers.MOST_A_DAY - 2
    assert not SignUp.objects.exists()


def test_the_name_in_the_letter_is_the_name_confirmed() -> None:
    """A letter confirms the name that it tells of: one asked for since by a forger is not had with it."""
    written("zoe@example.org", PUBLIC, "register zoe")
    to = reply_to("zoe@example.org")
    written("zoe@example.org", PUBLIC, "register rudeword")
    assert written("zoe@example.org", to, "yes").code == 550
    written("zoe@example.org", reply_to("zoe@example.org"), "yes")
    assert User.objects.get().username == "rudeword"


@pytest.mark.parametrize("name", ["two words", "a<b>", "taken", "TAKEN", "x" * 149 + "!", "e\u202evil"])
def test_names_follow_the_rules_of_the_site(name: str) -> None:
    """A name that the site would not take is not had by mail either; the letter says what is wrong."""
    User.objects.create_user("taken", "taken@example.org")
    written("zoe@example.org", PUBLIC, f"register {name}")
    (letter,) = letters("zoe@example.org")
    assert "That name cannot be used" in letter.body  # type: ignore[attr-defined]
    assert "Reply-To" not in letter.extra_headers  # type: ignore[attr-defined]
    assert User.objects.count() == 1


def test_a_name_taken_in_between() -> None:
    """Who answers after another has taken the name gets no account, and nothing is half done."""
    written("zoe@example.org", PUBLIC, "register zoe")
    to = reply_to("zoe@example.org")
    User.objects.create_user("zoe", "other@example.org")
    assert written("zoe@example.org", to, "yes").code == 250
    assert (User.objects.count(), EmailAddress.objects.count()) == (1, 0)


def test_known_addresses_are_not_told_from_unknown_ones() -> None:
    """The mail server hears the same whether there is an account; a known address gets its usual letter (E9)."""
    person("known")
    replies = {str(written(f"{who}@example.org", PUBLIC, "register somebody")) for who in ("known", "other")}
    assert len(replies) == 1
    assert "How to play by mail" in letters("known@example.org")[0].subject  # type: ignore[attr-defined]
    assert not SignUp.objects.filter(email="known@example.org").exists()


# -- complaints and times --------------------------------------------------------------------------------------------


def test_a_complaint_by_mail() -> None:
    """What stands between `report` and `endreport` goes to the moderators, and their answer comes by mail."""
    user, keeper = people(2)
    table = running([user])
    sent(user, address(table, user), "report conduct\nHe shouts.\nA Par - Bur\nendreport\nstatus\n")
    found = Complaint.objects.get()
    assert (found.about, found.text, found.table) == ("conduct", "He shouts.\nA Par - Bur", table)
    assert "Your report has been sent" in answer(user)
    assert not table.sheets.exists()
    accounts.set_moderator(keeper, User.objects.create_superuser("boss"), wanted=True)
    oversight.close_complaint(found.pk, keeper, "We spoke.", now=NOW)
    assert "We spoke." in answer(user)
    sent(user, address(table, user), "report S1901M")
    assert Complaint.objects.count() == 1


def test_commands_without_a_table_ask_which() -> None:
    """Where the address says no table, commands about one ask which is meant, and the rest of the mail is done."""
    (user,) = people(1)
    for command in ("preview", "process", "pause", "extend to 2027-07-01 20:00", "board", "confirm"):
        assert sent(user, addresses.person(user), f"{command}\nhelp").code == 250
        assert "Not done: Which game do you mean?" in answer(user), command
        assert "away 2027-07-01" in answer(user), command


def test_times_are_told_in_the_readers_zone() -> None:
    """Letters and answers tell the deadline as it is where their reader lives, beside what was promised."""
    user, other = people(2)
    accounts.choose(user, {"time_zone": "Asia/Tokyo"})
    settings = TableSettings(fill="holder", deadlines=Deadlines(zone="Europe/Vienna"))
    table = running([User.objects.get(pk=user.pk), other], settings)
    table.refresh_from_db()
    assert table.deadline is not None
    there = clock.on_the_wall(table.deadline, "Asia/Tokyo")
    bodies = {mail.user_id: mail.body for mail in OutMail.objects.filter(event="game")}
    assert f"due by {table.deadline_wall} ({there} for you)." in bodies[user.pk]
    assert "Tokyo" not in bodies[other.pk]
    sent(user, address(table, user), "status")
    assert there in answer(user)
    assert power_of(Table.objects.get(pk=table.pk), user)


def test_dead_letters_are_linked_for_admins_alone() -> None:
    """The moderators' pages lead admins to the mails that were not delivered, and nobody else."""
    (user,) = people(1)
    boss = User.objects.create_superuser("boss")
    accounts.set_moderator(user, boss, wanted=True)
    for who, there in ((boss, True), (user, False)):
        client = Client()
        client.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
        assert ("/mail/dead" in client.get("/moderation/").content.decode()) is there
        assert client.get("/mail/dead").status_code == (200 if there else 404)


@pytest.mark.parametrize(
    "sender", ["x" * 300 + "@example.org", "x" * 65 + "@example.org", f"zoe@{'a' * 60}." * 5 + "org"]
)
def test_register_from_an_address_that_is_too_long(sender: str) -> None:
    """Nothing is stored for an address that cannot be written to, and the mail is answered in order."""
    assert not newcomers.is_address(sender)
    assert written(sender, PUBLIC, "register zoe").code in (250, 550)
    assert not SignUp.objects.exists()
    assert not OutMail.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("envelope", ["x" * 300 + "@example.org", "zoe@example.org"])
def test_the_door_answers_an_address_that_is_too_long(envelope: str) -> None:
    """Whether it stands on the envelope or in the mail alone: the sender's server is told why, and may go on."""
    said = f"From: {'x' * 300}@example.org\r\nSubject: hello\r\n\r\nregister zoe\r\n".encode()
    with House() as house, house.client() as client:
        client.ehlo("mx.test")
        client.mail(envelope)
        client.rcpt(PUBLIC)
        assert client.data(said) == (550, b"5.1.7 no mail can be sent to this address")
        client.sendmail("ann@example.org", [PUBLIC], b"From: ann@example.org\r\nSubject: x\r\n\r\nregister ann\r\n")
    assert list(SignUp.objects.values_list("email", "name")) == [("ann@example.org", "ann")]
