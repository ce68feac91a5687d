"""An operator's own variants stand beside those of the package, with a page, a map, rules, games and the API."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.host.games import hosting
from gamesmaster.host.models import KeptEdition
from gamesmaster.host.tables import editions, shelf, store
from tests.host.test_editions import begun

pytestmark = pytest.mark.django_db
STORMY = Path(__file__).parents[2] / "examples" / "stormy"


def forget() -> None:
    """As if the site had just been started."""
    shelf.operator_variants.cache_clear()
    hosting.cards.cache_clear()
    editions.variant_by_digest.cache_clear()
    store.GAMES.clear()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget()


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """A folder of variants with one in it, that of the site."""
    shutil.copytree(STORMY, tmp_path / "stormy")
    settings.VARIANTS = str(tmp_path)
    forget()
    return tmp_path


def test_every_door_knows_an_operators_variant(folder: Path, client: Client) -> None:
    """The catalogue, its page, its map, its rules and the API show it, and visitors can try it alone."""
    assert "Stormy" in client.get("/variants/").content.decode()
    page = client.get("/variants/stormy/").content.decode()
    assert "slow-crossing" in page
    assert client.get("/variants/stormy/map.svg").status_code == 200
    assert "STO-" in client.get("/variants/stormy/rules/").content.decode()
    assert "stormy" in [one["id"] for one in client.get("/api/variants").json()]
    assert client.get("/api/variants/stormy").json()["name"] == "Stormy Isle"
    assert "STO-" in client.get("/api/variants/stormy/rules").json()["text"]
    made = client.post("/sandbox/new", {"variant": "stormy"}, follow=True)
    assert made.status_code == 200
    assert "Stormy" in made.content.decode()


def test_a_game_outlives_the_folder(folder: Path, player: Any) -> None:
    """A game is played on with the edition that it began with, without the operator's folder."""
    table = begun("stormy", [player])
    shutil.rmtree(folder)
    forget()
    assert store.load(table).variant.name == "Stormy Isle"
    assert KeptEdition.objects.filter(family="stormy").count() == 1


def test_a_folder_with_a_fault_stops_the_site(folder: Path, settings: Any) -> None:
    """The name of a variant of the package, an error and a missing folder are told before anything is served."""
    toml = folder / "stormy" / "variant.toml"
    toml.write_text(toml.read_text().replace("slow-crossing", "slow-crosing"))
    with pytest.raises(BadFile, match="slow-crosing"):
        shelf.operator_variants()
    shutil.rmtree(folder / "stormy")
    shutil.copytree(STORMY, folder / "standard")
    toml = folder / "standard" / "variant.toml"
    toml.write_text(toml.read_text().replace('id = "stormy"', 'id = "standard"'))
    with pytest.raises(BadFile, match="comes with the program"):
        shelf.operator_variants()
    settings.VARIANTS = str(folder / "nowhere")
    with pytest.raises(NotFound, match="no folder"):
        shelf.operator_variants()


def test_an_unknown_name_is_told_with_the_nearest(folder: Path) -> None:
    """The nearest name may be one of the operator's."""
    with pytest.raises(GamesmasterError, match="did you mean stormy"):
        shelf.find_variant("stomy")
