"""Sandboxes that belong to nobody have an end; all others stay."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Table
from gamesmaster.host.operations.serving import KINDS, demo_table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.practice import sandbox, tutorial
from gamesmaster.host.profiles import own_data

from .conftest import HOUR, NOW

pytestmark = pytest.mark.django_db


def test_sandboxes_that_nobody_uses_are_deleted() -> None:
    """Where nobody has ordered or processed for long enough; a tutorial goes sooner."""
    hosting.sandbox("standard", now=NOW)
    ordered = hosting.sandbox("standard", now=NOW)
    submission.submit(ordered, "France", ["A Par H"], Submission(0), user=None, now=NOW + 2 * HOUR)
    tutorial.begin(0, now=NOW)
    assert sandbox.tidy(NOW + sandbox.TUTORIAL) == 0
    assert sandbox.tidy(NOW + sandbox.TUTORIAL + HOUR) == 1
    assert sandbox.tidy(NOW + sandbox.KEPT) == 0
    assert sandbox.tidy(NOW + sandbox.KEPT + HOUR) == 1
    assert [table.key for table in Table.objects.all()] == [ordered.key]
    assert sandbox.tidy(NOW + sandbox.KEPT + 3 * HOUR) == 1


def test_sandboxes_of_an_account_and_games_stay() -> None:
    """What somebody owns is theirs until the account is deleted; games and the board of the demo stay in any case."""
    user = User.objects.create_user("ann")
    hosting.sandbox("standard", user, now=NOW)
    kept = {demo_table().key, hosting.create(None, "standard", now=NOW).key}
    Table.objects.update(phase_began=NOW)
    late = NOW + 4 * sandbox.KEPT
    assert sandbox.tidy(late) == 0
    own_data.forget(user, now=NOW)
    assert sandbox.tidy(late) == 1
    assert {table.key for table in Table.objects.all()} == kept


def test_many_are_deleted_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that has let them grow for years is not held up by their end."""
    monkeypatch.setattr(sandbox, "MOST", 2)
    for _ in range(3):
        hosting.sandbox("standard", now=NOW)
    late = NOW + 2 * sandbox.KEPT
    assert [sandbox.tidy(late) for _ in range(3)] == [2, 1, 0]


def test_the_worker_tidies_them() -> None:
    """Nobody has to think of it."""
    assert sandbox.tidy in [kind.work for kind in KINDS.values()]
