"""Shapes files: what is read, what is refused and how, and that writing gives back what was read."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.errors import BadFile, BadShapes, NotFound
from gamesmaster.pictures import read_shapes, shapes_data, shapes_text
from gamesmaster.pictures.shapes.files import DEEPEST, LARGEST
from gamesmaster.pictures.shapes.reading import MOST_ARCS, MOST_DRAWN, MOST_LINKS, MOST_POINTS, MOST_PROVINCES
from gamesmaster.pictures.shapes.values import arc_of
from tests.pictures.small import small_data, small_shapes

Change = Callable[[Any], object]


def changed(change: Change) -> dict[str, Any]:
    """The data of the small map, changed."""
    data = small_data()
    change(data)
    return data


def complaint(source: Any) -> str:
    """What reading this source is refused with."""
    with pytest.raises(BadShapes) as caught:
        read_shapes(source)
    return str(caught.value)


# -- reading and writing ---------------------------------------------------------------------------------------------


def test_a_file_a_text_and_data_read_alike(tmp_path: Path) -> None:
    """A path, a JSON text and a mapping give equal shapes."""
    path = tmp_path / "shapes.json"
    path.write_text(json.dumps(small_data()))
    assert read_shapes(path) == read_shapes(path.read_text()) == small_shapes()


def test_writing_gives_back_what_was_read() -> None:
    """Data and text of shapes read as equal shapes, and the text of those is the same again."""
    shapes = small_shapes()
    assert read_shapes(shapes_data(shapes)) == shapes
    text = shapes_text(shapes)
    assert read_shapes(text) == shapes
    assert shapes_text(read_shapes(text)) == text


def test_the_text_is_made_for_comparing_versions() -> None:
    """An arc takes a line, a province takes one in each part, whole lengths are written so; a newline ends the file."""
    text = shapes_text(small_shapes())
    lines = text.split("\n")
    assert lines[-1] == ""
    assert sum(line.startswith("[900,0,") for line in lines) == 3
    assert sum(line.startswith('"SKE": {') for line in lines) == 3
    assert '"least": {"land":20,"shore":10,"sea":20},' in lines


def test_what_is_left_out_is_empty() -> None:
    """A file may be silent about credit, backdrop, links, contacts, extras, labels, turns and leaders."""

    def bare(data: Any) -> None:
        for key in ("credit", "backdrop", "links"):
            del data[key]
        data["provinces"]["ALB"].pop("contact")
        data["layouts"]["wide"]["ALB"] = {"spots": {"": []}}

    shapes = read_shapes(changed(bare))
    assert (shapes.credit, shapes.links, shapes.backdrop.land, shapes.backdrop.rivers) == ("", (), (), ())
    assert shapes.provinces["ALB"].contact == {}
    place = shapes.layouts["wide"]["ALB"]
    assert (place.extras, place.centre, place.labels) == ((), None, ())
    label = shapes.layouts["wide"]["BOR"].labels[0]
    assert (label.turn, label.leader) == (0, None)
    assert read_shapes(shapes_text(shapes)) == shapes


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-1000, 5000), st.integers(-1000, 4000)), min_size=3, max_size=40),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=40),
    st.floats(0, 40_000, exclude_min=True),
)
def test_every_file_within_bounds_comes_back(points: list[tuple[int, int]], text: str, km: float) -> None:
    """Whatever line, text and length a file may hold comes back through its text."""

    def change(data: Any) -> None:
        ring = [*points, points[0]]
        data["arcs"].append(list(arc_of(ring)))
        data["provinces"]["NEW"] = {"rings": [[len(data["arcs"]) - 1], [-len(data["arcs"])]], "contact": {"ALB": km}}
        label = {"text": text, "role": "name", "at": [*points[1]], "size": 30, "width": 9, "turn": -35}
        label["from"] = [*points[2]]
        data["layouts"]["narrow"]["NEW"] = {"spots": {"": []}, "labels": [label]}
        data["km"] = km

    shapes = read_shapes(changed(change))
    assert shapes.outline("NEW")[0] == points
    assert shapes.layouts["narrow"]["NEW"].labels[0].text == text
    assert read_shapes(shapes_text(shapes)) == shapes


# -- what is refused -------------------------------------------------------------------------------------------------


def place(data: Any, province: str = "ALB") -> Any:
    """What the wide layout says of a province."""
    return data["layouts"]["wide"][province]


def first_label(data: Any) -> Any:
    """A label of it."""
    return place(data)["labels"][0]


DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]

WIDE_ALB = "$.layouts.wide.ALB"
FAULTS: dict[str, tuple[Change, str, str]] = {
    "unknown key": (lambda d: d.update(provnces={}), "$.provnces", "did you mean provinces?"),
    "missing key": (lambda d: d.pop("arcs"), "$.arcs", "missing"),
    "another format": (lambda d: d.update(format=2), "$.format", "from 1 to 1"),
    "name of the board": (lambda d: d.update(board=7), "$.board", "a text"),
    "invisible mark": (lambda d: d.update(board="Sm\u202eall"), "$.board", "invisible"),
    "long credit": (lambda d: d.update(credit="c" * 401), "$.credit", "400"),
    # the frame and the scale
    "no frame": (lambda d: d.update(size=[4000, 0]), "$.size[1]", "from 100"),
    "huge frame": (lambda d: d.update(size=[10**12, 3000]), "$.size[0]", "20,000"),
    "frame of three": (lambda d: d.update(size=[4000, 3000, 9]), "$.size", "not 2 integers"),
    "frame with a fraction": (lambda d: d.update(size=[4000.0, 3000]), "$.size[0]", "an integer"),
    "frame true": (lambda d: d.update(size=[4000, True]), "$.size[1]", "an integer"),
    "no scale": (lambda d: d.update(km=0), "$.km", "a number"),
    "scale not a number": (lambda d: d.update(km=math.nan), "$.km", "a number"),
    "endless scale": (lambda d: d.update(km=math.inf), "$.km", "a number"),
    "scale true": (lambda d: d.update(km=True), "$.km", "a number"),
    "negative least": (lambda d: d["least"].update(sea=-1), "$.least.sea", "a number"),
    "unknown least": (lambda d: d["least"].update(see=8), "$.least.see", "did you mean sea?"),
    # arcs
    "arcs as an object": (lambda d: d.update(arcs={}), "$.arcs", "a list"),
    "arc as a text": (lambda d: d["arcs"].append("10"), "$.arcs[29]", "a list of integers"),
    "arc of one point": (lambda d: d["arcs"].append([5, 5]), "$.arcs[29]", "4 to"),
    "half a point": (lambda d: d["arcs"].append([5, 5, 5, 5, 5]), "$.arcs[29]", "pairs"),
    "step that is no number": (lambda d: d["arcs"][0].__setitem__(3, "0"), "$.arcs[0][3]", "an integer"),
    "step not a number": (lambda d: d["arcs"][0].__setitem__(3, math.nan), "$.arcs[0][3]", "an integer"),
    "fraction of a step": (lambda d: d["arcs"][0].__setitem__(3, 1.5), "$.arcs[0][3]", "an integer"),
    "step true": (lambda d: d["arcs"][0].__setitem__(3, True), "$.arcs[0][3]", "an integer"),
    "huge coordinate": (lambda d: d["arcs"].append([0, 0, 10**9, 0]), "$.arcs[29][2]", "out of the frame"),
    "number beyond measure": (lambda d: d["arcs"].append([0, 0, 0, -(10**5000)]), "$.arcs[29][3]", "out of the frame"),
    "far below": (lambda d: d["arcs"].append([0, 3000, 0, 1000, 0, 1]), "$.arcs[29][5]", "out of the frame"),
    "far to the left": (lambda d: d["arcs"].append([-1001, 0, 1001, 0]), "$.arcs[29][0]", "out of the frame"),
    "many arcs": (lambda d: d.update(arcs=[[0, 0, 1, 1]] * (MOST_ARCS + 1)), "$.arcs", "20,000"),
    "many points": (
        lambda d: d.update(arcs=[[0, 0] * (MOST_POINTS // 2)] * 3), "$.arcs[2]", "200,000 points"),
    "many points in one arc": (lambda d: d.update(arcs=[[0, 0] * (MOST_POINTS + 1)]), "$.arcs[0]", "400,000"),
    # provinces and their rings
    "script for an id": (
        lambda d: d["provinces"].update({"<script>": {"rings": []}}), '$.provinces["<script>"]', "not of the form"),
    "long id": (lambda d: d["provinces"].update({"A" * 17: {"rings": []}}), "$.provinces." + "A" * 17, "not of"),
    "many provinces": (
        lambda d: d.update(provinces={f"P{i}": {"rings": []} for i in range(MOST_PROVINCES + 1)}), "$.provinces",
        "1,000"),
    "province without rings": (lambda d: d["provinces"].update(ALB={}), "$.provinces.ALB.rings", "missing"),
    "unknown key of a province": (
        lambda d: d["provinces"]["ALB"].update(rngs=[]), "$.provinces.ALB.rngs", "did you mean rings?"),
    "ring to nowhere": (
        lambda d: d["provinces"]["ALB"].update(rings=[[29]]), "$.provinces.ALB.rings[0][0]", "there are 29 arcs"),
    "ring to nowhere backwards": (
        lambda d: d["provinces"]["ALB"].update(rings=[[24], [-30]]), "$.provinces.ALB.rings[1][0]", "29 arcs"),
    "empty ring": (lambda d: d["provinces"]["ALB"].update(rings=[[]]), "$.provinces.ALB.rings[0]", "1 to"),
    "ring not closed": (
        lambda d: d["provinces"]["ALB"]["rings"][0].pop(), "$.provinces.ALB.rings[0][3]",
        "arc -11 ends at (2420, 880), but 5 begins at (2350, 0)"),
    "ring turned round": (
        lambda d: d["provinces"]["ALB"].update(rings=[[5, 6, 9, 10, ~4]]), "$.provinces.ALB.rings[0][2]", "closed"),
    "rings as integers": (lambda d: d["provinces"]["ALB"].update(rings=[24]), "$.provinces.ALB.rings[0]", "a list of"),
    "contact with nobody": (
        lambda d: d["provinces"]["ALB"]["contact"].update(ABL=9), "$.provinces.ALB.contact.ABL", "mean ALB?"),
    "contact with itself": (
        lambda d: d["provinces"]["ALB"]["contact"].update(ALB=9), "$.provinces.ALB.contact.ALB", "not one of"),
    "contact not a number": (
        lambda d: d["provinces"]["ALB"]["contact"].update(BOR=math.nan), "$.provinces.ALB.contact.BOR", "a number"),
    "lake to nowhere": (lambda d: d["backdrop"]["lakes"].append([99]), "$.backdrop.lakes[1][0]", "29 arcs"),
    "lake not closed": (lambda d: d["backdrop"].update(lakes=[[28]]), "$.backdrop.lakes[0][0]", "not closed"),
    "river backwards": (lambda d: d["backdrop"].update(rivers=[-1]), "$.backdrop.rivers[0]", "from 0 to 28"),
    # links
    "link to nowhere": (lambda d: d["links"][0].update(b="ATL"), "$.links[0].b", "no such province"),
    "link to itself": (lambda d: d["links"][0].update(a="INS/NC"), "$.links[0]", "from INS/NC to itself"),
    "link with markup": (lambda d: d["links"][0].update(a="<b>"), "$.links[0].a", "not of the form"),
    "link of no kind": (lambda d: d["links"][0].update(kind="arow"), "$.links[0].kind", "did you mean arrow?"),
    "link neither added nor taken": (lambda d: d["links"][0].update(op="*"), "$.links[0].op", "not one of '+', '-'"),
    "link drawn without a path": (lambda d: d["links"][0].pop("path"), "$.links[0]", "'land' have path"),
    "link with half its paths": (lambda d: d["links"][2].pop("path2"), "$.links[2]", "path and path2"),
    "path of a link not drawn": (lambda d: d["links"][3].update(path=[0, 0, 1, 1]), "$.links[3]", "no path"),
    "path out of the frame": (lambda d: d["links"][0].update(path=[0, 0, 0, 9000]), "$.links[0].path[3]", "frame"),
    "way in capitals": (lambda d: d["links"][0].update(ways=["Army"]), "$.links[0].ways[0]", "not of the form"),
    "many links": (lambda d: d.update(links=d["links"] * MOST_LINKS), "$.links", "1,000"),
    # layouts
    "layout missing": (lambda d: d["layouts"].pop("narrow"), "$.layouts.narrow", "missing"),
    "layout unknown": (lambda d: d["layouts"].update(wid={}), "$.layouts.wid", "did you mean wide?"),
    "place of nobody": (lambda d: d["layouts"]["wide"].update(ATL={}), "$.layouts.wide.ATL", "no such province"),
    "place without spots": (lambda d: place(d).pop("spots"), f"{WIDE_ALB}.spots", "missing"),
    "spots of coasts only": (lambda d: place(d)["spots"].pop(""), f"{WIDE_ALB}.spots", '""'),
    "coast in small letters": (lambda d: place(d)["spots"].update(nc=[]), f"{WIDE_ALB}.spots.nc", "not of the form"),
    "spot of two": (lambda d: place(d)["spots"][""].append([1, 2]), f'{WIDE_ALB}.spots[""][2]', "not 3 integers"),
    "spot without room": (
        lambda d: place(d)["spots"][""].append([1, 2, 0]), f'{WIDE_ALB}.spots[""][2][2]', "from 1"),
    "spot far away": (
        lambda d: place(d)["spots"][""].append([5001, 2, 80]), f'{WIDE_ALB}.spots[""][2][0]', "5,000"),
    "spot not a number": (
        lambda d: place(d)["spots"][""].append([math.nan, 2, 80]), f'{WIDE_ALB}.spots[""][2][0]', "an integer"),
    "many spots": (lambda d: place(d)["spots"].update(NC=[[9, 9, 9]] * 63), f"{WIDE_ALB}.spots", "64"),
    "many extras": (lambda d: place(d).update(extras=[[9, 9, 9]] * 65), f"{WIDE_ALB}.extras", "64"),
    "centre without size": (lambda d: place(d).update(centre=[1, 2, -3]), f"{WIDE_ALB}.centre[2]", "from"),
    "many labels": (lambda d: place(d).update(labels=[first_label(d)] * 5), f"{WIDE_ALB}.labels", "4"),
    "long label": (lambda d: first_label(d).update(text="x" * 41), f"{WIDE_ALB}.labels[0].text", "40"),
    "empty label": (lambda d: first_label(d).update(text=" "), f"{WIDE_ALB}.labels[0].text", "empty"),
    "label of two lines": (lambda d: first_label(d).update(text="a\nb"), f"{WIDE_ALB}.labels[0].text", "control"),
    "half a character": (lambda d: first_label(d).update(text="\ud800"), f"{WIDE_ALB}.labels[0].text", "control"),
    "label of no role": (lambda d: first_label(d).update(role="nam"), f"{WIDE_ALB}.labels[0].role", "mean name?"),
    "label below the frame": (lambda d: first_label(d).update(at=[0, 4001]), f"{WIDE_ALB}.labels[0].at[1]", "4,000"),
    "label without size": (lambda d: first_label(d).update(size=0), f"{WIDE_ALB}.labels[0].size", "from 1"),
    "huge label": (lambda d: first_label(d).update(width=10**9), f"{WIDE_ALB}.labels[0].width", "20,000"),
    "label spun round": (lambda d: first_label(d).update(turn=181), f"{WIDE_ALB}.labels[0].turn", "180"),
    "leader from afar": (lambda d: first_label(d).update({"from": [-1001, 0]}), f"{WIDE_ALB}.labels[0].from[0]", "-1"),
    "nested deeply": (lambda d: first_label(d).update(at=DEEP), f"{WIDE_ALB}.labels[0].at", "not 2 integers"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_with_its_place(name: str) -> None:
    """Shapes that break the format are refused with the JSON path and what would be right."""
    change, path, words = FAULTS[name]
    said = complaint(changed(change))
    assert said.startswith(f"{path}: ")
    assert words in said.removeprefix(path)
    assert len(said) < 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: not JSON"),
        ("[]", "$: expected an object"),
        ('{"km": 1e999}', "$.km: this number is too large"),
        ('{"km": NaN}', "$.km: NaN is not a number in JSON"),
        ('{"arcs": [[1' + "0" * 100 + "]]}", "$.arcs[0][0]: this number is too long"),
        ('{"arcs": [], "arcs": []}', '$: the key "arcs" is given twice'),
        ("[" * 100_000, "nested deeper than 7 levels"),
        ('{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1), "nested deeper than 7 levels"),
        ("[" + "0," * (LARGEST // 2) + "0]", "larger than 2,097,152 bytes"),
        ("shapes.json", "a file is read from a Path"),
    ],
)
def test_texts_that_are_no_strict_json_are_refused(text: str, words: str) -> None:
    """Numbers out of range, keys given twice, deep nesting and large files are refused with their place."""
    assert words in complaint(text)


def test_few_bytes_cannot_draw_many_points() -> None:
    """A long arc used by ring after ring is refused once it would be drawn too often: F3, ten million points."""

    def change(data: Any) -> None:
        data["arcs"] = [[0, 0, *[1, 0, -1, 0] * 49_999]]
        data["provinces"] = {"ALB": {"rings": [[0]] * 100}}
        data["links"], data["backdrop"], data["layouts"] = [], {}, {"wide": {}, "narrow": {}}

    said = complaint(changed(change))
    assert said.startswith(f"$.provinces.ALB.rings[6]: more than {MOST_DRAWN:,} points")


def test_texts_stay_texts() -> None:
    """Markup in a label is kept letter for letter: whoever draws it escapes it."""
    hostile = "<script>alert(1)</script>"
    shapes = read_shapes(changed(lambda d: first_label(d).update(text=hostile)))
    assert shapes.layouts["wide"]["ALB"].labels[0].text == hostile


def test_a_file_is_named_in_complaints(tmp_path: Path) -> None:
    """Complaints about a file begin with its path; a file that is not there is not found."""
    path = tmp_path / "shapes.json"
    path.write_text(json.dumps(changed(lambda d: d.update(km=-1))))
    assert complaint(path).startswith(f"{path}, $.km: ")
    with pytest.raises(NotFound):
        read_shapes(tmp_path / "none.json")
    with pytest.raises(BadFile, match=r"a\.zip, \$\.km: "):
        read_shapes(path.read_text(), where="a.zip")


# -- cost ------------------------------------------------------------------------------------------------------------


def test_the_room_opens_quickly() -> None:
    """Importing the room, and reading shapes, loads neither pydantic nor a library of pictures."""
    script = """if True:
        import sys
        from gamesmaster.pictures import read_shapes
        try:
            read_shapes("{}")
        except ValueError:
            pass
        except Exception as error:
            assert type(error).__name__ == "BadShapes", error
        heavy = {"pydantic", "PIL", "resvg_py", "typst", "shapely", "numpy", "fontTools"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", script], check=True)
