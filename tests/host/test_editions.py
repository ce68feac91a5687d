"""Tables are played and shown by the edition of their variant with which they were made, whatever an update brings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.game import loads
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.maps import pictures
from gamesmaster.host.models import KeptEdition, Table
from gamesmaster.host.operations import serving, upkeep
from gamesmaster.host.phases import downtime, past, processing
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, editions, store
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.rules import Rules
from gamesmaster.variant import editions as kept
from gamesmaster.variant import find_edition, find_variant
from tests.host.conftest import HOUR, NOW, people
from tests.host.test_phases import NO_WAIT, again

FORMER = "cline9@4a75fcc2b775b72d"


def begun(variant: str, users: list[User], gm: User | None = None) -> Table:
    """A game of a variant, begun at `NOW`, with bots at the places that nobody takes."""
    settings = NO_WAIT.model_copy(update={"fill": "holder"})
    table = hosting.create(users[0], GameChoice(variant, name="As it was"), settings, gm=gm, now=NOW)
    for user in users:
        seats.join(table, user, now=NOW)
    hosting.start(table, gm or users[0], now=NOW)
    return again(table)


def forget() -> None:
    """As if the program had just been started."""
    store.GAMES.clear()
    editions.variant_by_digest.cache_clear()
    kept._shipped_variant.cache_clear()


def lose(patch: pytest.MonkeyPatch) -> None:
    """Take all former editions out of the package, as if it was one between two releases."""
    patch.setattr(kept, "shipped_editions", lambda family="*": iter(()))
    forget()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """Nothing that was lost here is missed elsewhere."""
    yield
    forget()


@pytest.mark.django_db
def test_a_table_of_a_former_edition(client: Client) -> None:
    """Pages, maps, keys, files and the API of such a table are its own edition's, and its game goes on."""
    user, keeper = people(2)
    table = begun(FORMER, [user], gm=keeper)
    assert (table.variant, table.digest) == ("cline9", find_edition(FORMER).digest)
    assert processing.process(table, 0, "asked", now=NOW + HOUR) is processing.Done.PROCESSED
    client.force_login(user)
    page = client.get(f"/t/{table.key}/").content.decode()
    drawn = set(re.findall(r'"(/maps/[^"#]*\.svg)', page))
    assert any("cline9@4a75" in path for path in drawn)
    assert all(client.get(path).status_code == 200 for path in drawn)
    for path in ("", "p/0/", "layer.svg", "map.svg", "p/0/report.txt", "record.json"):
        assert client.get(f"/t/{table.key}/{path}").status_code == 200, path
    game = loads(client.get(f"/t/{table.key}/record.json").content, verify=False)
    assert game.variant == find_edition(FORMER) != find_variant("cline9")
    assert client.get(f"/api/tables/{table.key}").status_code == 200
    assert client.get("/maps/cline9@0123456789abcdef/light-wide.0.svg").status_code == 404


@pytest.mark.django_db
def test_a_sandbox_of_it() -> None:
    """A sandbox made from such a game is of the same edition."""
    (user,) = people(1)
    table = begun(FORMER, [user])
    processing.process(table, 0, "asked", now=NOW + HOUR)
    made = past.fork(access.view(again(table), access.viewer_of(table, user)), 0, user, now=NOW + HOUR)
    assert made.digest == table.digest
    assert processing.ask(made, 0, user, now=NOW + HOUR) is processing.Done.PROCESSED


@pytest.mark.django_db
def test_the_package_has_lost_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a table was made with is in the database, shapes and all, and enough when the package has it no more."""
    (user,) = people(1)
    table = begun(FORMER, [user])
    lose(monkeypatch)
    assert KeptEdition.objects.get().digest == table.digest
    assert access.look(table.key, user).variant.digest == table.digest
    assert "<svg" in pictures.map_svg(access.look(table.key, user))
    assert processing.process(table, 0, "asked", now=NOW + HOUR) is processing.Done.PROCESSED
    assert "edition" in json.loads(again(table).record)["variant"]
    KeptEdition.objects.all().delete()
    forget()
    assert store.load(again(table)).variant.digest == table.digest, "the record has it since"
    assert editions.keep_editions(NOW) == 0
    assert KeptEdition.objects.get().digest == table.digest
    KeptEdition.objects.all().delete()
    forget()
    Table.objects.update(record="")
    assert editions.keep_editions(NOW) == 1
    with pytest.raises(Refused, match="no edition"):
        hosting.create(user, FORMER, TableSettings())


@pytest.mark.django_db
def test_one_row_an_edition() -> None:
    """Tables of one edition share it, whatever their options; every start keeps what is missing."""
    (user,) = people(1)
    for variant in ("cline9", "cline9[turkey=fleet-smyrna]", FORMER, "indianomacy2"):
        hosting.create(user, variant, TableSettings())
    wanted = {find_edition(name).digest for name in ("cline9", FORMER, "indianomacy2")}
    assert set(KeptEdition.objects.values_list("digest", flat=True)) == wanted
    KeptEdition.objects.all().delete()
    assert editions.keep_editions(NOW) == 0
    assert set(KeptEdition.objects.values_list("digest", flat=True)) == wanted


@pytest.mark.django_db
def test_a_table_without_its_edition_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is set apart because nobody has its edition goes on when somebody has it again."""
    (user,) = people(1)
    table = begun(FORMER, [user])
    (row,) = KeptEdition.objects.all()
    KeptEdition.objects.all().delete()
    with monkeypatch.context() as gone:
        lose(gone)
        for _ in range(processing.MOST_ATTEMPTS):
            processing.process(table, 0, "asked", now=NOW + HOUR)
        assert again(table).state == "quarantined"
        with pytest.raises(Refused, match="cannot be read") as refused:
            upkeep.retry(again(table), None, now=NOW + HOUR)
        assert "no edition 4a75fcc2b775b72d of cline9" in refused.value.hint
        row.save(force_insert=True)
        forget()
        assert upkeep.retry(again(table), None, now=NOW + 2 * HOUR) is processing.Done.PROCESSED
    assert (again(table).state, again(table).phase_code, again(table).attempts) == ("running", "F1901M", 0)


@pytest.mark.django_db
def test_a_mended_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose deadline passes while nothing can be judged is set apart; mended, it comes back and goes on."""
    (user,) = people(1)
    table = begun("standard", [user])
    late = (again(table).deadline or NOW) + HOUR

    def fail(*_: object) -> object:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("gamesmaster.game.state.adjudicate_all", fail)
        broken.setattr(clock, "now", lambda: late)
        downtime.beat(late)
        for _ in range(processing.MOST_ATTEMPTS):
            serving.process_due(late)
        assert again(table).state == "quarantined"
        with pytest.raises(Refused, match="still fails: ZeroDivisionError"):
            upkeep.retry(again(table), None, now=late)
    assert upkeep.retry(again(table), None, now=late) is processing.Done.PROCESSED
    assert (again(table).state, again(table).phase_code) == ("running", "F1901M")
    assert processing.process(again(table), 1, "asked", now=late + HOUR) is processing.Done.PROCESSED


def judged_by_another(table: Table) -> None:
    """Write into a table's record that another program judged it, and that one order came out otherwise."""
    data = json.loads(again(table).record)
    data["judge"] = "0.0.9+0123456789ab"
    data["phases"][0]["rulings"][0] = "bounces: stood off"
    Table.objects.filter(pk=table.pk).update(record=json.dumps(data), version=again(table).version + 1)
    store.GAMES.clear()


@pytest.mark.django_db
def test_the_gamesmaster_is_told(client: Client) -> None:
    """Of a phase that would be judged otherwise the Gamesmaster's desk tells; what was posted stands on every page."""
    user, keeper = people(2)
    table = begun("standard", [user], gm=keeper)
    processing.process(table, 0, "asked", now=NOW + HOUR)
    client.force_login(keeper)
    assert "Results that would differ today" not in client.get(f"/t/{table.key}/gm/").content.decode()
    judged_by_another(table)
    desk = client.get(f"/t/{table.key}/gm/").content.decode()
    assert "Results that would differ today" in desk
    assert "since S1901M was posted" in desk
    told = client.get(f"/t/{table.key}/p/0/").content.decode()
    assert "The posted results stand" in told
    assert "bounces" in told
    past.rollback(again(table), 0, keeper, now=NOW + HOUR)
    assert processing.process(again(table), 0, "asked", now=NOW + 2 * HOUR) is processing.Done.PROCESSED
    assert "Results that would differ today" not in client.get(f"/t/{table.key}/gm/").content.decode()


@pytest.mark.django_db
def test_what_an_upgrade_would_change() -> None:
    """Every table is looked at, those that have not begun as well, and nothing is changed."""
    (user,) = people(1)
    sound, former, other, broken = (begun(v, [user]) for v in ("standard", FORMER, "standard", "standard"))
    for table in (sound, former, other):
        processing.process(table, 0, "asked", now=NOW + HOUR)
    judged_by_another(other)
    Table.objects.filter(pk=broken.pk).update(record="{}")
    forming = hosting.create(user, FORMER, TableSettings())
    before = list(Table.objects.order_by("pk").values())
    found = {one.key: one.survey for one in upkeep.survey_tables()}
    assert upkeep.count_tables() == len(found) == 5
    assert upkeep.changes_waiting() == 0
    assert not found[sound.key].changed
    assert not found[sound.key].former
    assert found[former.key].edition == found[forming.key].edition == find_edition(FORMER).address
    assert (found[former.key].changed, found[former.key].former, found[forming.key].former) == (False, True, True)
    assert found[other.key].phases == ("S1901M",)
    assert "missing" in found[broken.key].fault
    assert list(Table.objects.order_by("pk").values()) == before


def test_the_rules_of_an_edition_are_the_judges(tmp_path: Path) -> None:
    """Two editions of a variant never share the judge's rules."""
    former, today = find_edition(FORMER), find_variant("cline9")
    assert Rules.of(former) is not Rules.of(today)
    assert Rules.of(former).board == former.board
