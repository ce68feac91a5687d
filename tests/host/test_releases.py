"""A site that an earlier program began goes on with this one, in place and from its backup; and there is a way back.

The earlier programs are those of the project's own history, run with the libraries of today.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.host.processes import Server
from tests.host.test_backup import good, program, ran, surroundings
from tests.lengths import mark_long
from tests.patience import PATIENCE

pytestmark = pytest.mark.together

ROOT = Path(__file__).parents[2]
EARLIER = {
    "0006_standbys": "eeadb4d2d1c073eedf901aac72aad8d4633e2947",
    "0008_editions": "5e8da64a954751a750877448b7bf6e52dbbb4174",
}
"""Programs of which sites are, by the last change of the database that each knows."""
BEGIN = """
from gamesmaster.host.boot import boot; boot()
from gamesmaster.host.serving import migrate; migrate()
import json
from datetime import timedelta
from django.contrib.auth.models import User
from allauth.account.models import EmailAddress
from gamesmaster.host.service import clock, downtime, orders, phases, receipts, store, tables, tokens
from gamesmaster.host.table_settings import TableSettings
user = User.objects.create_user("ann", "ann@example.org")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
table = tables.create(user, "standard", TableSettings(fill="holder"), name="Game of ann")
tables.join(table, user)
tables.start(table, user)
token, _ = tokens.make(user, "a program", ["read", "orders"], clock.now())
power = table.seats.get(user=user).power
kept = []
for ordinal in (0, 1):
    table.refresh_from_db()
    given = [f"{unit.kind} {unit.at} H" for unit in store.load(table).position.of(power)]
    receipt = orders.submit(table, power, given, ordinal=ordinal, user=user, now=clock.now())
    kept.append(receipts.text_of(receipt))
    if ordinal == 0:
        downtime.beat(clock.now())
        phases.process(table.pk, 0, now=table.deadline + timedelta(seconds=1))
table.refresh_from_db()
print(json.dumps({"key": table.key, "power": power, "token": token, "receipts": kept, "phase": table.phase_code,
                  "orders": given}))
"""
"""A game in flight, by the names of the earlier programs: one phase is over, for the next there are orders."""
PLAY = """
import json, sys
from datetime import timedelta
try:
    from gamesmaster.host.apps import boot
except ImportError:  # an earlier program
    from gamesmaster.host.boot import boot
boot()
from django.db.migrations.recorder import MigrationRecorder
from django.db import connection
from gamesmaster.host.models import Table
try:
    from gamesmaster.host.operations.upkeep import check_database
    from gamesmaster.host.orders import receipts
    from gamesmaster.host.phases import processing
except ImportError:  # an earlier program
    from gamesmaster.host.edition import check as check_database
    from gamesmaster.host.service import phases as processing, receipts
check_database()
table = Table.objects.get()
before, at = table.phase_code, table.deadline + timedelta(seconds=1)
processing.process(table.pk, table.ordinal, now=at)
table.refresh_from_db()
found = [receipts.check(text) for text in json.loads(sys.argv[1])]
last = MigrationRecorder(connection).migration_qs.filter(app="host").order_by("name").last()
print(json.dumps([before, table.phase_code, table.state, [one.genuine and one.known for one in found], last.name]))
"""
"""The phase is processed, and receipts are checked."""


CUT = [False, False]
"""What receipts are worth after a restore: the backups of those programs cut their times to milliseconds."""


def unpacked(commit: str, folder: Path) -> Path:
    """The sources of an earlier program."""
    made = subprocess.run(["git", "-C", str(ROOT), "archive", commit, "src"], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("the project's history is not at hand: git fetch --unshallow")
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


class Old:
    """A site that an earlier program began, and the surroundings to run that program in."""

    def __init__(self, folder: Path, knows: str) -> None:
        self.knows = knows
        self.source = unpacked(EARLIER[knows], folder / "old")
        self.data, self.saved = folder / "site", folder / "before.gz"
        self.data.mkdir()
        self.told: dict[str, Any] = json.loads(program(BEGIN, self.around(self.data)))
        good(["backup", str(self.saved)], self.around(self.data))

    def around(self, data: Path) -> dict[str, str]:
        """The surroundings of the earlier program."""
        return {**today(data), "PYTHONPATH": str(self.source)}

    def played(self, around: dict[str, str]) -> list[Any]:
        """The phase before and after processing, the state, what the receipts are worth, the last change."""
        found: list[Any] = json.loads(program(PLAY, around, json.dumps(self.told["receipts"])))
        return found


def today(data: Path) -> dict[str, str]:
    """The surroundings of today's program."""
    return surroundings(data, GAMESMASTER_SECRET="s" * 64)


@pytest.fixture(scope="module", params=mark_long(EARLIER))  # the short one is the older backup of test_backup.py
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Old:
    """A site that an earlier program began; its backup is as it was, whatever becomes of it."""
    return Old(tmp_path_factory.mktemp("release"), request.param)


def asked(site: Server, path: str, token: str, body: object = None) -> Any:
    """What the API answers; a body is put there."""
    data, method = (None, "GET") if body is None else (json.dumps(body).encode(), "PUT")
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(f"{site.url}/api/{path}", data, head, method=method), timeout=PATIENCE) as answer:
        return json.load(answer)


@pytest.mark.needs("git")
def test_an_upgrade_and_the_way_back(old: Old, tmp_path: Path) -> None:
    """In place the game goes on, by the token and with the orders of before; then the old program has all of before."""
    key, token, power = (old.told[name] for name in ("key", "token", "power"))
    with Server(old.data, "--no-worker").ready() as site:
        table = asked(site, f"tables/{key}", token)
        assert (table["phase"], table["state"]) == (old.told["phase"], "running")
        assert len(asked(site, f"tables/{key}/orders", token)) == 1
        asked(site, f"tables/{key}/orders/{power}", token, {"ordinal": 1, "orders": old.told["orders"]})
    before, after, state, receipts, last = old.played(today(old.data))
    assert (before, state, receipts) == (old.told["phase"], "running", [True, True])
    assert after != before
    assert last > old.knows
    refused = ran(["backup", str(tmp_path / "after.gz")], old.around(old.data))
    assert refused.returncode != 0, "the old program leaves alone what it does not know"
    assert "newer edition" in refused.stderr
    back = tmp_path / "back"
    good(["restore", str(old.saved)], old.around(back))
    assert old.played(old.around(back))[:4] == [before, after, "running", CUT]


@pytest.mark.long  # a backup of an older program is restored in test_backup.py
@pytest.mark.needs("git")
def test_a_backup_of_before_is_restored(old: Old, tmp_path: Path) -> None:
    """Into an empty site, by today's program: the game goes on with the orders of before."""
    good(["restore", str(old.saved)], today(tmp_path / "new"))
    before, after, state, receipts, last = old.played(today(tmp_path / "new"))
    assert (before, state, receipts) == (old.told["phase"], "running", CUT)
    assert after != before
    assert last > old.knows
