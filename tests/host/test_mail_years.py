"""Two years of Scottomacy wholly by mail, with what postal players are used to: orders ahead, corrections, wishes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.models import OutMail, Table
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import NOW, people, power_of
from tests.host.mailing import address, answer, sent, sheet
from tests.host.test_cline_house import PATIENT, again, over

pytestmark = pytest.mark.django_db
POWERS = ("Campbell", "Stewart", "England")


def by_mail(table: Table, user: User, text: str) -> str:
    """The answer to a mail of a player's."""
    sent(user, address(again(table), user), text)
    return answer(user)


def last_mail(user: User, event: str) -> str:
    """The text of the last mail of a kind that somebody got."""
    found = OutMail.objects.filter(user=user, event=event).order_by("pk").last()
    assert found is not None
    return found.body


def stands(table: Table, power: str) -> set[str]:
    """The units of a power, those aboard left out."""
    return {str(unit) for unit in store.load(again(table)).position.of(power) if not unit.aboard}


@pytest.fixture
def clans() -> tuple[Table, dict[str, User], User]:
    """A game that three people have joined by mail, with a wish for a power each; bots hold the other seats."""
    *players, gm = people(4)
    settings = TableSettings.model_validate(
        {"fill": "holder", "absent": PATIENT, "starts": "asked", "powers": "preference"}
    )
    rules: dict[str, object] = {"conditional_orders": "winter_and_retreats"}
    table = hosting.create(
        gm, GameChoice("scottomacy", name="Clans by post", house_rules=rules), settings, gm=gm, now=NOW
    )
    for user, power in zip(players, POWERS, strict=True):
        sent(user, addresses.person(user), f"join {table.key} as {power}")
        assert f"Your wish for {power} is noted" in answer(user)
    hosting.start(table, gm, now=NOW)
    users = {power_of(again(table), user): user for user in players}
    assert set(users) == set(POWERS)
    return again(table), users, gm


def test_two_years_of_scottomacy_by_mail(clans: tuple[Table, dict[str, User], User]) -> None:
    """A beaten army retreats as its player said with the moves, and builds sent in Fall are made."""
    table, users, gm = clans
    campbell, stewart, england = (users[power] for power in POWERS)
    assert "it is lost unless A/F (England) has left by then" in last_mail(england, "game")

    moves = "A 58 H\nA 25 - 33\nA 47 - 58\nA 62 - 90\n\nP.S. A 47 is to hold instead.\n"
    told = by_mail(table, campbell, f"{moves}\nRetreats:\nA 58 - 49\nA 58 - 48\n")
    assert "A 62 (Rothesay Castle) - 90" in told
    assert "cannot reach" in told
    assert "Kept for retreats:\n  A 58 (Dunolly Castle) - 49" in told
    by_mail(table, campbell, "amend\nA 62 H")
    assert sorted(sheet(again(table), campbell)) == ["A 25 - 33", "A 47 H", "A 58 H", "A 62 H"]
    by_mail(table, stewart, "A 56 - 58\nA 57 S A 56 - 58\nthe others hold\n")
    by_mail(table, england, "A/F e - d\nA/F gg - ff\n")
    sent(gm, addresses.runner(again(table), gm, again(table).ordinal), "preview")
    assert "Preview of Spring 1491 Movement (S1491M)" in answer(gm)
    assert "dislodged by A 56" in answer(gm)
    over(table)

    assert again(table).phase_code == "S1491R"
    assert sheet(again(table), campbell) == ["A 58 - 49"]
    assert "These orders that you sent ahead are saved now" in last_mail(campbell, "phase")
    by_mail(table, england, "Arrive A/F e\nDecline A/F gg")
    over(table)
    assert stands(table, "Campbell") == {"A 33", "A 47", "A 49", "A 62", "A 81"}
    assert stands(table, "England") == {"A 89", "A 90", "A/F d", "A/F e", "A/F ff"}

    assert again(table).phase_code == "F1491M"
    by_mail(table, campbell, "A 47 H\nA 49 builds BB\n\nWinter:\nBuild A 25\n")
    told = by_mail(table, stewart, "A 58 H\nWinter 1491:\nBuild A 56\n")
    assert "Kept for adjustments:\n  Build A 56" in told
    by_mail(table, england, "A/F ff lands 73\nA/F e H")
    over(table)
    assert again(table).phase_code == "W1491A"
    assert sheet(again(table), campbell) == ["Build A 25"]
    assert sheet(again(table), stewart) == ["Build A 56"]
    over(table)
    assert "A 56" in stands(table, "Stewart")
    assert stands(table, "Campbell") == {"A 25", "A 33", "A 47", "A 49", "A 62", "A 81"}

    assert again(table).phase_code == "S1492M"
    by_mail(table, campbell, "A 47 H\nA 33 - 22")
    by_mail(table, england, "A/F ff - ee\nA/F d H")
    over(table)
    by_mail(table, campbell, "A 49 H\nWinter: Build A 81")
    while not again(table).phase_code.startswith("S1493"):
        over(table)
    assert {"A/F d", "A/F e", "A/F ee"} <= stands(table, "England")
