"""Names that would be taken for somebody else's are refused; accounts that have one stay."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.mailroom import newcomers
from gamesmaster.host.models import OutMail
from gamesmaster.host.press import correspondence, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import names
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.settings import TableSettings

from .conftest import NOW, people, person, power_of, running
from .test_people import SIGN_UP

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        "Gamesmaster", "gamesmaster2", "Game-Master", "admin", "Administrator", "аdmin", "аdm", "ADM1N", "Moderator",
        "rn0derator", "ｐ0", "m\u00f6derator", "root", "GM", "England", "EngIand", "zoe@example.org", "___", "ⅼist",
        "zoeж", "no.body",
    ],
)  # fmt: skip
def test_refused(name: str) -> None:
    """Offices, words of the house, powers, mixed scripts, odd forms of letters, addresses: at the form and by mail."""
    assert sign_up.name_fault(name)
    answer = Client().post("/accounts/signup/", {"username": name, "email": "", **SIGN_UP})
    assert answer.status_code == 200
    assert newcomers.fault_of(name)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name", ["zoe", "Zoë", "Боря", "李小龍", "たなかカナ", "김철수", "Ελένη", "player1", "o_neil-2"]
)
def test_allowed(name: str) -> None:
    """Names of one script, of any language."""
    assert sign_up.name_fault(name) == ""


@pytest.mark.parametrize("name", ["Pau1", "PAUL", "раuӏ", "p.a.u.l", "Päul", "раul"])
def test_names_that_look_like_anothers(name: str) -> None:
    """A name that is read like that of another account is refused."""
    User.objects.create_user("Paul")
    assert sign_up.name_fault(name)


def test_accounts_of_before_stay() -> None:
    """Who has a name that would be refused today signs in as ever."""
    User.objects.create_user("Moderator", "m@example.org", "one-long-pass-9")
    answer = Client().post("/accounts/login/", {"login": "Moderator", "password": "one-long-pass-9"})
    assert answer.status_code == 302


UNSEEN = [
    "ze\u00adbra", "ze\u200bbra", "ze\u200cbra", "ze\u200dbra", "ze\u2062bra", "ze\u034fbra", "\u3164", "ze\u2800bra",
    "\u202earbez", "\u200b", "z\u0435bra", "zebr\u0430", "z" + "\u0301" * 2000, "ze\u2066bra", "\u115f", "ze\ue000bra",
    "ze\U000e0041bra", "zebra\ufe0e",
]  # fmt: skip
"""Invisible, turning and confusable characters, and endless marks."""


@pytest.mark.parametrize("name", UNSEEN)
def test_what_cannot_be_seen_is_in_no_name(name: str) -> None:
    """No name of an account or a table has it, and no subject shows what tables of before have."""
    assert sign_up.name_fault(name)
    with pytest.raises(Refused):
        hosting.create(person("zoe"), GameChoice("standard", name=name))
    if len(name) < 40 and "z\u0435" not in name and "\u0430" not in name:
        assert not set(names.visible(name)) - set("zebra")


@pytest.mark.parametrize(
    "name",
    ["Gamesmaster notice", "From the Gamesmaster", "GM", "GAMESMASTER", "Game-Master: read this", "G\u0430mesmaster",
     "Notice from the GM", "Garnesmaster"],
)  # fmt: skip
def test_no_table_poses_as_the_gamesmaster(name: str) -> None:
    """The name of a table stands in the subjects of mails."""
    with pytest.raises(Refused):
        hosting.create(person("zoe"), GameChoice("standard", name=name))


@pytest.mark.parametrize(
    "name",
    ["GM wanted", "Spieleabend für Zoë", "Игра Diplomacy", "たなか Cup", "हिन्दी खेल", "لعبة", "Victory ♟️ 1", "Việt Nam"],
)
def test_names_of_tables(name: str) -> None:
    """Names in any language are fine."""
    assert hosting.create(person("zoe"), GameChoice("standard", name=name)).name == name.replace("\ufe0f", "")


def test_letters_of_the_gamesmaster_are_marked() -> None:
    """On the page by a seal, in mails by the line before other people's words: nothing that a player can write."""
    users, gm = people(2), person("keeper")
    table = running(users, TableSettings(press="private"), gm=gm)
    power, other = (power_of(table, user) for user in users)
    text = "G\u00adamesmaster notice\nThe game is off.\n\nSigned: the Gamesmas\u200cter"
    correspondence.send(table, power, Press(text, [other]), user=users[0], now=NOW)
    correspondence.send(table, "", Press("The game goes on.\nReally.", [other]), user=gm, now=NOW)
    forged, true = (mail.body for mail in OutMail.objects.filter(user=users[1], event="press").order_by("pk"))
    said = forged.partition("writes to you:\n\n")[2].splitlines()[:4]
    assert all(line.startswith("|") for line in said), said
    assert "\nThe game goes on.\nReally." in true
    client = Client()
    client.force_login(users[1])
    for partner, seals in ((power, 0), ("Gamesmaster", 1)):
        thread = threads.key_with((partner, other))
        shown = client.get(f"/t/{table.key}/press/", {"with": thread}).content.decode()
        assert shown.count('<article class="letter') == 1
        assert shown.count('class="seal"') == seals


def test_names_are_compared_by_an_index() -> None:
    """However many accounts there are, a name is compared in one question; accounts of before are compared too."""
    fifty = User.objects.bulk_create(User(username=f"Somebody{number:02}") for number in range(50))
    import_module("gamesmaster.host.migrations.0016_squashed_0028_helper").compare_names(apps, None)
    with CaptureQueriesContext(connection) as queries:
        assert sign_up.name_fault("Entirely-else") == ""
        assert "looks like" in sign_up.name_fault("s0mebody4l")
    assert [query["sql"].count("likeness") > 0 for query in queries] == [True, True]
    User.objects.filter(pk=fifty[41].pk).delete()
    assert sign_up.name_fault("s0mebody4l") == ""
    other = User.objects.get(username="Somebody42")
    other.username = "Nobody-else"
    other.save()
    assert sign_up.name_fault("Somebody42") == ""
    assert "looks like" in sign_up.name_fault("nobodyeIse")


def test_people_are_looked_up_by_indexes() -> None:
    """A name or an address in any letters is found by an index, not by reading all accounts."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    for rows in (
        User.objects.filter(username__iexact="ann"),
        User.objects.filter(email__iexact="ann@example.org"),
        User.objects.filter(Q(username__iexact="ann") | Q(email__iexact="ann") | Q(pk__in=[7])),
        EmailAddress.objects.filter(email__iexact="ann@example.org"),
    ):
        plan = rows.explain()
        assert re.search("host_(auth_user|account_emailaddress)_", plan), plan
        assert "SCAN" not in plan.replace("SCAN CONSTANT", ""), plan
