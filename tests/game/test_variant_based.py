"""Variants based on another: what is taken over, what changes, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.game import Game, dumps, loads
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.variant import (
    Edition,
    Variant,
    edition_of,
    find_edition,
    find_variant,
    lint_folder,
    read_edition,
    read_rules_text,
    read_variant,
    rules_text_of,
)
from gamesmaster.variant.sources import file_of, folder_of, join, shelf
from gamesmaster.variant.texts import read_brief
from tests.catalogue import find_catalogue

PAGE = (Path(__file__).parents[2] / "docs/board-files.md").read_text(encoding="utf-8")
BOARD = PAGE.split("```json\n")[1].split("```")[0]
STRAIT = PAGE.split("```toml\n")[1].split("```")[0] + '\n[[mechanics]]\nname = "anarchy"\n'
WIDE = PAGE.split("### A variant based on another")[1].split("```toml\n")[1].split("```")[0]
SEED = bytes(32)


def folder(home: Path, name: str, told: str, **files: str) -> Path:
    """A variant's folder with this `variant.toml`, and other files."""
    (path := home / name).mkdir()
    for file, text in {"variant.toml": told, **files}.items():
        (path / file).write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def strait(tmp_path: Path) -> Path:
    """The base of the page's example; variants based on it belong beside it."""
    return folder(tmp_path, "strait", STRAIT, **{"board.json": BOARD, "RULES.md": "# The Strait\n\nA strait.\n"})


def on_strait(more: str = "", name: str = "mine", base: str = "strait") -> str:
    """A variant based on the strait, or on another variant, that says this besides."""
    return f'format = 1\nid = "{name}"\nname = "Mine"\nbased_on = "{base}"\n{more}\n'


class TestTakenOver:
    """What a variant has from its base, and what it changes."""

    def test_the_page_s_example(self, strait: Path) -> None:
        """A number of a table, a power's units and two mechanics change; everything else is that of the base."""
        base, wide = read_variant(strait), read_variant(folder(strait.parent, "wide_strait", WIDE))
        assert (wide.id, wide.name, wide.board) == ("wide_strait", "The Wide Strait", base.board)
        assert (wide.victory.centres, wide.victory.count) == (3, base.victory.count)
        assert {str(unit) for unit in wide.start.units} == {"F LON", "A CAL"}
        assert wide.power("France").adjective == "French"
        assert [mechanic.id for mechanic in wide.mechanics] == ["extinction"]
        assert wide.calendar == base.calendar
        assert lint_folder(strait.parent / "wide_strait") == []

    def test_as_if_it_were_written_out(self, strait: Path) -> None:
        """The digest, and so the games, are those of a variant on the same board that says all of it itself."""
        whole = STRAIT.replace('id = "strait"', 'id = "mine"\nboard = "strait"').replace("The Strait", "Mine")
        whole = whole.replace("centres = 2", "centres = 3")
        written = read_variant(folder(strait.parent, "written", whole))
        based = read_variant(folder(strait.parent, "mine", on_strait("[victory]\ncentres = 3")))
        assert based.digest == written.digest
        assert based != read_variant(strait)

    def test_other_defaults(self, tmp_path: Path) -> None:
        """A variant of the package can be a base too, its options chosen differently and its mechanics tuned."""
        told = on_strait(
            '[[options]]\nname = "bay_exit"\ndefault = "must"\n\n[[mechanics]]\nname = "taboo"\nwinters = 3\n',
            base="indianomacy",
        )
        mine, base = read_variant(folder(tmp_path, "mine", told)), find_variant("indianomacy[bay_exit=must]")
        assert {option.name: option.default for option in mine.options}["bay_exit"] == "must"
        changed = {str(m) for m in mine.mechanics} - {str(m) for m in base.mechanics}
        assert len(changed) == 1
        assert "winters=3" in changed.pop()
        assert [m.id for m in mine.mechanics] == [m.id for m in base.mechanics]
        assert shapes_of(mine).provinces == shapes_of(base).provinces
        assert read_variant(tmp_path / "mine", {"bay_exit": "may"}).id == "mine[bay_exit=may]"

    def test_without_powers_and_options(self, tmp_path: Path) -> None:
        """Powers, options and mechanics of the base can be left out by name."""
        told = on_strait('without_powers = ["Turkey"]\nwithout_options = ["turkey"]', base="cline9")
        mine, base = read_variant(folder(tmp_path, "mine", told)), find_variant("cline9")
        assert [p.name for p in base.powers if p not in mine.powers] == ["Turkey"]
        assert "turkey" in {o.name for o in base.options} - {o.name for o in mine.options}

    def test_a_board_of_its_own(self, strait: Path) -> None:
        """A variant that names itself has its own board; one that has a board and does not say so is asked."""
        board = BOARD.replace('"OCE"', '"OCN"')
        mine = folder(strait.parent, "mine", on_strait('board = "mine"'), **{"board.json": board})
        assert "OCN" in read_variant(mine).board.index
        (mine / "variant.toml").write_text(on_strait(), encoding="utf-8")
        with pytest.raises(BadFile, match=r"board\.json is not read: the board is that of strait .*board = 'mine'"):
            read_variant(mine)

    def test_its_files(self, strait: Path) -> None:
        """A file that is not there is the base's; of the table of special rules single keys can differ."""
        (strait / "brief.toml").write_text(
            'special = [{ says = "Boats float.", clauses = "STD-8.a", by = "start" }]\n'
            '[example]\nscenario = "S1"\nlead = "Look."\n',
            encoding="utf-8",
        )
        mine = folder(strait.parent, "mine", on_strait())
        assert file_of(mine, "RULES.md") == strait / "RULES.md"
        assert read_rules_text(mine).title == rules_text_of(read_variant(mine)).title == "The Strait"
        assert read_brief(mine) == read_brief(strait)
        (mine / "brief.toml").write_text('[example]\nscenario = "S2"\n', encoding="utf-8")
        assert (read_brief(mine).example, read_brief(mine).lead) == ("S2", "Look.")
        assert read_brief(mine).special == read_brief(strait).special
        (mine / "RULES.md").write_text("# Mine\n\nOther words.\n", encoding="utf-8")
        assert read_rules_text(mine).title == "Mine"
        assert edition_of(read_variant(mine)).text("RULES.md").startswith("# Mine")

    @pytest.mark.parametrize(
        ("base", "own", "both"),
        [
            ({"a": 1, "b": {"c": 1, "d": 2}}, {"b": {"d": 3}}, {"a": 1, "b": {"c": 1, "d": 3}}),
            ([{"name": "x", "n": 1}], [{"name": "y"}], [{"name": "x", "n": 1}, {"name": "y"}]),
            ([{"name": "x", "n": 1}], [{"name": "x", "m": 2}], [{"name": "x", "n": 1, "m": 2}]),
            ([{"name": "x"}], [], []),
            ([1, 2], [3], [3]),
            ([{"season": "Spring"}], [{"season": "Fall"}], [{"season": "Fall"}]),
            ([{"name": "x"}, {"name": "x"}], [{"name": "y"}], [{"name": "y"}]),
            ("datc", {"preset": "1971"}, {"preset": "1971"}),
            ({"preset": "1971"}, "datc", "datc"),
        ],
    )  # fmt: skip
    def test_what_is_joined(self, base: object, own: object, both: object) -> None:
        """Tables by key, lists of named tables by name; everything else is replaced."""
        assert join(base, own) == both


class TestRefused:
    """What cannot be a base."""

    @pytest.mark.parametrize("name", ["../strait", "strait/../strait", "/tmp", ".", "", "Strait", "a" * 40])
    def test_only_names(self, strait: Path, name: str) -> None:
        """A base is named; no path leads anywhere else."""
        mine = folder(strait.parent, "mine", on_strait(base=name))
        with pytest.raises(BadFile, match="based_on"):
            read_variant(mine)
        with pytest.raises(NotFound):
            folder_of(name, mine)
        assert file_of(mine, "RULES.md") == mine / "RULES.md"

    def test_what_is_not_there(self, strait: Path) -> None:
        """The nearest name is told, beside the folder or in the package."""
        for base, hint in (("strayt", "strait"), ("standart", "standard")):
            mine = folder(strait.parent, f"on_{base}", on_strait(base=base))
            with pytest.raises(BadFile, match=f"based_on: no variant '{base}'.*did you mean {hint}"):
                read_variant(mine)
            assert [finding.code for finding in lint_folder(mine)] == ["bad-file"]

    def test_no_chains_and_no_circles(self, strait: Path) -> None:
        """A base that is itself based on another is refused, and so is a variant based on itself, or on each other."""
        one = folder(strait.parent, "one", on_strait(name="one"))
        two = folder(strait.parent, "two", on_strait(name="two", base="one"))
        with pytest.raises(BadFile, match=r"one is itself based on another variant, strait"):
            read_variant(two)
        (one / "variant.toml").write_text(on_strait(name="one", base="two"), encoding="utf-8")
        with pytest.raises(BadFile, match="two is itself based on another variant, one"):
            read_variant(one)
        (one / "variant.toml").write_text(on_strait(name="one", base="one"), encoding="utf-8")
        with pytest.raises(BadFile, match="one is itself based on another variant, one"):
            read_variant(one)
        assert read_brief(one).special == ()

    @pytest.mark.parametrize(
        ("told", "complaint"),
        [
            (
                'without_mechanics = ["anarchie"]',
                r"without_mechanics: its base has no 'anarchie'.*did you mean anarchy",
            ),
            ('without_powers = ["Frans"]', r"without_powers: its base has no 'Frans'.*did you mean France"),
            ('without_options = ["wind"]', r"without_options: its base has no 'wind' among its options"),
            ("without_powers = 1", r"\$\.without_powers"),
            ("centre = 2", r"\$\.centre: this key is not known"),
            ("[[powers]]\nadjective = 'x'", r"\$\.powers\[0\]\.name: this key is missing"),
        ],
    )
    def test_what_does_not_fit(self, strait: Path, told: str, complaint: str) -> None:
        """What is left out must be there, and what is said must have its form."""
        with pytest.raises(BadFile, match=complaint):
            read_variant(folder(strait.parent, "mine", on_strait(told)))

    def test_its_own_name(self, strait: Path) -> None:
        """Id and name are never taken over."""
        mine = folder(strait.parent, "mine", 'format = 1\nid = "mine"\nbased_on = "strait"\n')
        with pytest.raises(BadFile, match=r"\$\.name: this key is missing"):
            read_variant(mine)


class TestEditions:
    """An edition of such a variant is whole: nothing beside it is needed."""

    def test_of_a_game(self, strait: Path) -> None:
        """A record has the base too: the game is read and goes on though both folders are gone."""
        mine = read_variant(folder(strait.parent, "mine", on_strait("[victory]\ncentres = 3")))
        assert read_edition(edition_of(mine)) == mine
        text = dumps(Game.start(mine, seed=SEED).process())
        shutil.rmtree(strait.parent)
        game = loads(text, find=nobody)
        assert game.variant == mine
        assert rules_text_of(game.variant).title == "The Strait"
        assert dumps(game.process()) != text

    def test_the_base_has_changed(self, strait: Path) -> None:
        """A game keeps the base with which it began."""
        mine = read_variant(folder(strait.parent, "mine", on_strait()))
        text = dumps(Game.start(mine, seed=SEED))
        (strait / "variant.toml").write_text(STRAIT.replace("centres = 2", "centres = 3"), encoding="utf-8")
        changed = read_variant(strait.parent / "mine")
        assert (mine.victory.centres, changed.victory.centres) == (2, 3)
        assert loads(text, find=lambda _: changed).variant == mine

    def test_half_of_one(self, strait: Path) -> None:
        """An archive that lacks the base, or whose base is based on another, is refused."""
        whole = edition_of(read_variant(folder(strait.parent, "mine", on_strait())))
        files = dict(whole.files)
        assert set(files) == {"variant.toml", "base.toml", "board.json", "RULES.md"}
        for base, complaint in (("", "missing"), (on_strait(), "itself based on another")):
            half = Edition(tuple(sorted((files | {"base.toml": base}).items())))
            with pytest.raises(BadFile, match=complaint):
                read_edition(Edition.unpack(half.pack()))


def nobody(name: str) -> Variant:
    """Finds no variant: as if its folder was gone."""
    raise NotFound(f"no variant {name!r}")


class TestIndianomacy:
    """The two games of one board."""

    def test_the_same_game(self) -> None:
        """Indianomacy II is Indianomacy but for one default, its name and its page; its digest is that of old."""
        first, second = find_variant("indianomacy"), find_variant("indianomacy2")
        assert second.digest.startswith("edef3bf6eb5c5592")
        assert second.board_of == "indianomacy"
        same = ("board", "powers", "start", "calendar", "victory", "rulebook", "clauses")
        assert all(getattr(first, part) == getattr(second, part) for part in same)
        assert {option.name: option.default for option in first.options} == {
            "canoe_into_occupied": "yes",
            "bay_exit": "must",
        }
        chosen = find_variant("indianomacy[bay_exit=may]")
        assert first.mechanics != chosen.mechanics == second.mechanics
        chosen = find_variant("indianomacy2[bay_exit=must]")
        assert second.mechanics != chosen.mechanics == first.mechanics
        assert {path.name for path in (shelf() / "indianomacy2").iterdir()} == {
            "variant.toml",
            "RULES.md",
            "brief.toml",
        }
        assert find_catalogue("indianomacy2").keys() == find_catalogue("indianomacy").keys()

    @pytest.mark.parametrize("digest", ["12209187e3df29fd", "1414ee907684c56e", "edef3bf6eb5c5592"])
    def test_games_of_former_editions(self, digest: str) -> None:
        """Games that were begun under former editions load and are adjudicated as then."""
        game = Game.start(find_edition("indianomacy2", digest), seed=SEED).process().process()
        again = loads(dumps(game))
        assert again == game
        assert again.variant.digest.startswith(digest)

    def test_no_edition_lies_in_its_records(self) -> None:
        """The package keeps the edition of today, so that records need not."""
        data: Any = json.loads(dumps(Game.start(find_variant("indianomacy2"), seed=SEED)))
        assert "edition" not in data["variant"]
