"""A game is read, shown and played on by the edition of its variant with which it was begun."""

from __future__ import annotations

import base64
import gzip
import json
import pickle
import runpy
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.game import Game, dumps, history, loads
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.variant import (
    Edition,
    Variant,
    edition_of,
    find_edition,
    find_variant,
    read_edition,
    read_variant,
    rules_text_of,
    variant_names,
)
from gamesmaster.variant.editions import shipped_editions
from gamesmaster.variant.model import LARGEST_EDITION, LARGEST_WHOLE
from gamesmaster.variant.sources import shelf
from tests.lengths import mark_long

KEEPING = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "editions.py"))
EVER = """
1000ad-7e451ef1d3898f73
1000ad-8f574e7635c5ab31
1000ad-92f14c6ba832ba4b
cline9-2430366a0efedec3
cline9-4a75fcc2b775b72d
cline9-5aa442fd5c71801f
cline9-8c4379a4f217136d
cline9-acbaec8723c9eb66
conquest2-1cb1958b46d96009
conquest2-70e356dbb1f9727d
conquest2-8e6b7b7a353b3733
conquest2-9a834ec7d278aab9
conquest2-d06ce9896c98dc24
indianomacy-26604d836dc8e612
indianomacy-503cc14f1d8b4282
indianomacy-51a44f1f14e48f29
indianomacy-706598cb7b310a40
indianomacy-b64294ec2adb7950
indianomacy-beb904f78635fc97
indianomacy-c4deb0d3357e2b8e
indianomacy2-12209187e3df29fd
indianomacy2-1414ee907684c56e
indianomacy2-1af80d8fb8d9f91f
indianomacy2-3eb6c9a873b1a180
indianomacy2-461ba3b53144664f
indianomacy2-edef3bf6eb5c5592
scottomacy-3234164f7ad1140e
scottomacy-375dff71e25d8abc
scottomacy-97fa4c60f0ad5e8a
scottomacy-b7db025a2e2e0f58
scottomacy-cdb1fe5f91ddd751
scottomacy-f0fb1a4bc180f97e
scottomacy-f56a335945529398
standard-076ab55f5906c707
"""
"""Editions that games have been begun under: the list only grows."""
ARCHIVES = list(shipped_editions())
SEED = bytes(32)


def nobody(name: str) -> Variant:
    """Finds no variant: as if its folder was gone."""
    raise NotFound(f"no variant {name!r}")


class TestKept:
    """What the package keeps."""

    def test_none_is_lost(self) -> None:
        """Every edition that a game was ever begun under is there."""
        assert set(EVER.split()) <= {path.name.removesuffix(".json.gz") for path in ARCHIVES}

    def test_today_is_kept(self) -> None:
        """No variant changes without its edition being kept; `python docs/editions.py` keeps it."""
        missing = [
            path.name for path, _ in KEEPING["wanting"](map(find_variant, variant_names()), shelf() / "editions")
        ]
        assert not missing, "python docs/editions.py"

    @pytest.mark.parametrize("path", mark_long(ARCHIVES, but=ARCHIVES[::4]), ids=lambda path: path.name.split(".")[0])
    def test_each_can_be_played_and_drawn(self, path: Path) -> None:
        """Every edition of the past is read under its own digest, with every choice, its shapes and its rules."""
        edition = Edition.unpack(path.read_bytes(), path.name)
        variant = read_edition(edition)
        assert path.name == f"{variant.family}-{variant.digest[:16]}.json.gz"
        assert find_edition(variant.id, variant.digest).digest == variant.digest
        assert shapes_of(variant).provinces.keys() >= {unit.at.province for unit in variant.start.units}
        assert rules_text_of(variant).title
        assert Game.start(variant, seed=SEED).process().records
        for option in variant.options:
            for choice in set(option.choices) - {option.default}:
                try:
                    chosen = read_edition(edition, {option.name: choice})
                except NotFound as error:  # it goes with others only
                    assert "does not go with" in error.what  # noqa: PT017
                else:
                    assert find_edition(chosen.address).digest == chosen.digest

    def test_a_changed_variant_is_noticed(self, tmp_path: Path) -> None:
        """A variant whose rules, board or shapes have changed wants an archive; the former one is not touched."""
        shutil.copytree(shelf() / "standard", tmp_path / "variants" / "standard")
        kept = tmp_path / "kept"
        kept.mkdir()
        folder, wanting = tmp_path / "variants", KEEPING["wanting"]
        KEEPING["main"]({folder: False}, kept)
        (first,) = kept.iterdir()
        assert not list(wanting(KEEPING["variants_in"](folder), kept))
        (rules := folder / "standard" / "RULES.md").write_text("# Diplomacy\n\nOther words.\n", encoding="utf-8")
        assert [path for path, _ in wanting(KEEPING["variants_in"](folder), kept)] == [first]
        (file := folder / "standard" / "variant.toml").write_text(
            file.read_text(encoding="utf-8").replace("centres = 18", "centres = 17"), encoding="utf-8"
        )
        before = first.read_bytes()
        KEEPING["main"]({folder: False}, kept)
        assert len(list(kept.iterdir())) == 2
        assert first.read_bytes() == before
        assert rules.exists()


class TestFound:
    """What is asked for by name and digest."""

    def test_today_and_the_past(self) -> None:
        """A name alone means today's edition; an address means one for ever, with its own board."""
        today, past = find_variant("cline9"), find_edition("cline9@4a75fcc2b775b72d")
        assert find_edition("cline9") is find_edition(today.address) is today
        assert past.id == today.id
        assert past.digest.startswith("4a75fcc2b775b72d")
        assert past != today
        assert past.edition
        assert past.edition.shipped
        assert pickle.loads(pickle.dumps(past)) == past

    @pytest.mark.parametrize(
        "name",
        ["cline9@0123456789abcdef", "cline9@", "cline9@..", "*@4a75fcc2b775b72d", "../cline9@4a75fcc2b775b72d",
         "cline9[no=such]@4a75fcc2b775b72d"],
    )  # fmt: skip
    def test_what_there_is_not(self, name: str) -> None:
        """An edition that nobody has is not found, whatever the name looks like."""
        with pytest.raises(NotFound, match="no edition"):
            find_edition(name)

    def test_of_a_variant(self, tmp_path: Path) -> None:
        """The edition of a variant has all of its files, those of a board that it shares as well."""
        shared = edition_of(find_variant("indianomacy2"))
        assert dict(shared.files)["board.json"] == (shelf() / "indianomacy" / "board.json").read_text(encoding="utf-8")
        assert read_edition(shared).digest == find_variant("indianomacy2").digest
        shutil.copytree(shelf() / "standard", tmp_path / "standard")
        assert edition_of(read_variant(tmp_path / "standard")) == edition_of(find_variant("standard"))
        tuned = read_variant(shelf() / "1000ad", parameters={"anarchy": {"grace": 3}})
        with pytest.raises(NotFound, match="has no edition"):
            edition_of(tuned)


def packed(**files: object) -> bytes:
    """An archive of these files."""
    return gzip.compress(json.dumps({"format": 1, "files": files}).encode(), mtime=0)


class TestArchives:
    """Archives may come from strangers."""

    def test_the_same_bytes(self) -> None:
        """Of the same files the same archive is made, and it comes back as it was."""
        edition = edition_of(find_variant("standard"))
        assert edition.pack() == edition.pack()
        assert Edition.unpack(edition.pack()) == edition

    @pytest.mark.parametrize(
        ("data", "complaint"),
        [
            (b"", "cut off"),
            (b"no gzip", "not an edition of a variant"),
            (packed(**{"variant.toml": "", "board.json": ""})[:-4], "cut off"),
            (packed(**{"variant.toml": "", "board.json": ""}) + b"more", "added to"),
            (b"\0" * (LARGEST_EDITION + 1), "larger than 2,097,152 bytes"),
            (gzip.compress(b"[" + b" " * LARGEST_WHOLE), "larger than 8,388,608 bytes"),
            (gzip.compress(b"{}"), "'files' is missing"),
            (gzip.compress(b'{"format": 2, "files": {}}'), "not an edition of format 1"),
            (packed(**{"variant.toml": ""}), "'board.json' is missing"),
            (packed(**{"variant.toml": "", "board.json": "", "../x": ""}), r"unknown key '\.\./x'"),
            (packed(**{"variant.toml": "", "board.json": []}), "expected a text"),
            (packed(**{"variant.toml": "", "board.json": {"deep": {}}}), "nested deeper"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_bad_ones(self, data: bytes, complaint: str) -> None:
        """What is no archive, too large, or holds what it may not, is refused and never unpacked whole."""
        with pytest.raises(BadFile, match=complaint):
            Edition.unpack(data, "it")


@pytest.fixture
def own(tmp_path: Path) -> Game:
    """A game of a variant that the package does not have, one phase old."""
    folder = tmp_path / "mine"
    shutil.copytree(shelf() / "standard", folder)
    told = (folder / "variant.toml").read_text(encoding="utf-8")
    told = told.replace('id = "standard"', 'id = "mine"').replace("centres = 18", "centres = 17")
    (folder / "variant.toml").write_text(told, encoding="utf-8")
    return Game.start(read_variant(folder), seed=SEED).submit("France", "A Par - Bur").process()


def with_edition(change: Callable[[dict[str, Any]], object]) -> Callable[[Any], object]:
    """Change the files of the edition in a record."""

    def changed(data: Any) -> None:
        whole = json.loads(gzip.decompress(base64.b64decode(data["variant"]["edition"])))
        change(whole["files"])
        data["variant"]["edition"] = base64.b64encode(gzip.compress(json.dumps(whole).encode())).decode()

    return changed


class TestInRecords:
    """Records of variants that the package does not have."""

    def test_it_needs_nothing_else(self, own: Game) -> None:
        """Such a record is read, shown and drawn though the folder is gone, and saved as it was."""
        text = dumps(own)
        game = loads(text, find=nobody)
        assert game == own
        assert history(game) == history(own)
        assert shapes_of(game.variant).provinces
        assert dumps(game) == text
        assert game.process().records
        assert "edition" not in json.loads(dumps(Game.start(find_variant("standard"), seed=SEED)))["variant"]
        assert (
            "edition"
            not in json.loads(dumps(Game.start(find_edition("cline9@4a75fcc2b775b72d"), seed=SEED)))["variant"]
        )

    def test_the_folder_has_changed(self, own: Game, tmp_path: Path) -> None:
        """When the variant beside the record has become another one, the game goes on by its own edition."""
        file = tmp_path / "mine" / "variant.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("centres = 17", "centres = 5"), encoding="utf-8")
        changed = read_variant(tmp_path / "mine")
        game = loads(dumps(own), find=lambda _: changed)
        assert game.variant.victory.centres == 17
        assert game.variant != changed
        (tmp_path / "mine" / "board.json").write_text("{", encoding="utf-8")
        assert loads(dumps(own), find=lambda _: read_variant(tmp_path / "mine")) == own

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            (lambda d: d["variant"].pop("edition"), r"\$\.variant\.id: no variant 'mine'"),
            (lambda d: d["variant"].update(edition=7), r"\$\.variant\.edition: expected a text"),
            (lambda d: d["variant"].update(edition="*"), r"\$\.variant\.edition: expected base64"),
            (lambda d: d["variant"].update(edition="é"), r"\$\.variant\.edition: expected base64"),
            (lambda d: d["variant"].update(edition="A" * 3_000_000), r"\$\.variant\.edition: larger than"),
            (lambda d: d["variant"].update(edition=base64.b64encode(zlib.compress(b"{}")).decode()), "not an edition"),
            (lambda d: d["variant"].update(digest="0" * 64), "another edition than the record names"),
            (lambda d: d["variant"].update(id="yours"), "another edition than the record names"),
            (with_edition(lambda f: f.update({"board.json": "{"})), r"\$\.variant\.edition, .*not JSON"),
            (with_edition(lambda f: f.update({"variant.toml": "="})), r"\$\.variant\.edition, .*not TOML"),
            (with_edition(lambda f: f.update({"variant.toml": "a = 1\n" * 20_000})), "larger than 65,536 bytes"),
        ],
    )
    def test_bad_ones(self, own: Game, change: Callable[[Any], object], complaint: str) -> None:
        """What is wrong with the edition in a record is told with its place."""
        data = json.loads(dumps(own))
        change(data)
        with pytest.raises(BadFile, match=complaint):
            loads(json.dumps(data), find=nobody)

    def test_nobody_has_it(self) -> None:
        """A record of an edition that is nowhere is refused, and says what is missing."""
        data = json.loads(dumps(Game.start(find_variant("standard"), seed=SEED)))
        data["variant"]["digest"] = "0" * 64
        with pytest.raises(BadFile, match=r"\$\.variant\.digest: .*another edition of standard.*later release"):
            loads(json.dumps(data))
