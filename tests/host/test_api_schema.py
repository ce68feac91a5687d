from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.test import override_settings
from hypothesis import HealthCheck, Phase, given, seed, settings

from gamesmaster.host.accounts.tokens import SCOPES, make_token
from gamesmaster.host.games import hosting
from gamesmaster.host.site import clock
from gamesmaster.host.site.limits import Limit
from tests.host.conftest import people, power_of, running
from tests.lengths import short_and_long

schemathesis = pytest.importorskip("schemathesis")

from schemathesis.checks import not_a_server_error  # noqa: E402

QUIET = list(HealthCheck)


@pytest.mark.django_db(transaction=True)
@override_settings(API_PER_MINUTE=10**9)
@pytest.mark.filterwarnings("ignore")
@short_and_long("examples", 4, 40)
def test_no_call_is_a_server_error(monkeypatch: pytest.MonkeyPatch, examples: int) -> None:
    """Whatever is sent within or beside the description, the answer is no error of the server's."""
    from gamesmaster.host.games import api as door

    monkeypatch.setattr(door, "SANDBOXES", Limit("checks", 3, 3600))
    cache.clear()
    (user,) = people(1)
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    table, alone = running([user]), hosting.sandbox("standard")
    places = [(table.key, power_of(table, user)), (alone.key, "France"), ("", "")]
    token = make_token(user, "checks", list(SCOPES), clock.now())[0]
    described = schemathesis.openapi.from_wsgi("/api/openapi.json", WSGIHandler())
    names = []
    for found in described.get_all_operations():
        operation = found.ok()
        names.append(operation.label)
        _check(operation, places, token, examples)
    assert len(names) > 40


def _check(operation: Any, places: list[tuple[str, str]], token: str, examples: int) -> None:
    """Call one operation with what its description allows, at each of these places in turn."""
    turn = cycle(places)

    @seed(1)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=QUIET, phases=[Phase.generate])
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        key, power = next(turn)
        if key and "key" in case.path_parameters:
            case.path_parameters["key"] = key
        if power and "power" in case.path_parameters:
            case.path_parameters["power"] = power
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=[not_a_server_error])

    check()
