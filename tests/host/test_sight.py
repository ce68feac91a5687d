"""Variants that hide parts of the board: sandboxes play them, games with players are refused."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import forms, hosting, queue
from gamesmaster.host.games.queue import Wanted
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, shelf


@pytest.mark.django_db
def test_a_game_with_players_is_refused() -> None:
    """Neither a game nor a wish for one can be of such a variant, no form offers one, and the reason is given."""
    owner = User.objects.create_user("owner")
    with pytest.raises(Refused, match="Blind hides parts of the board"):
        hosting.create(owner, "blind")
    with pytest.raises(Refused, match="There is no variant 'fog'"):
        queue.wait(owner, Wanted(variant="fog"))
    assert {*shelf.names()} - {*shelf.table_names()} == {"fog", "blind"}
    assert not {"fog", "blind"} & {variant.id for variant in forms.NewGame().variants}
    assert "fog" not in shelf.offered(owner)


@pytest.mark.django_db
def test_a_sandbox_shows_everything() -> None:
    """In a sandbox there are no secrets: who orders for all powers sees the whole board."""
    table = hosting.sandbox("blind")
    view = access.look(table.key, None)
    assert len(view.position.units) == 22
