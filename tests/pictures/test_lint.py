"""The linter of shapes: silent on the small map, and each slip found where it was made."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from gamesmaster.board import Finding, read_board
from gamesmaster.pictures import lint_shapes, read_shapes
from gamesmaster.pictures.svg import text_width
from tests.pictures.small import small_board_data, small_data

Change = Callable[[Any, Any], object]


def findings(change: Change | None = None) -> list[Finding]:
    """What the linter says of the small map when its board and shapes have been changed."""
    board, shapes = small_board_data(), small_data()
    if change:
        change(board, shapes)
    return lint_shapes(read_board(board), read_shapes(shapes))


def summary(change: Change | None = None) -> list[str]:
    """The findings, without their texts."""
    return [f"{f.level} {f.code} {f.where}" for f in findings(change)]


def contact(shapes: Any, a: str, b: str, length: float) -> float:
    """Let two provinces touch along so many kilometres."""
    shapes["provinces"][a]["contact"][b] = shapes["provinces"][b]["contact"][a] = length
    return length


def edges(board: Any, way: str, text: str) -> list[list[str]]:
    """Add an edge, or with a minus take it away."""
    pair = text.strip("-").split(" ")
    if text.startswith("-"):
        board["edges"][way].remove(pair)
    else:
        board["edges"][way].append(pair)
    found: list[list[str]] = board["edges"][way]
    return found


def place(shapes: Any, province: str, layout: str = "wide") -> Any:
    """What a layout says of a province."""
    return shapes["layouts"][layout][province]


def move(thing: list[int], dx: int, dy: int) -> list[int]:
    """Shift a spot, or the point at which a label stands."""
    thing[:2] = [thing[0] + dx, thing[1] + dy]
    return thing


def rename(shapes: Any, old: str, new: str) -> None:
    """Give a province another id in the shapes."""
    shapes["provinces"][new] = shapes["provinces"].pop(old)
    for shape in shapes["provinces"].values():
        if old in shape["contact"]:
            shape["contact"][new] = shape["contact"].pop(old)
    for layout in shapes["layouts"].values():
        layout[new] = layout.pop(old)


def test_a_good_map_is_passed_in_silence() -> None:
    """Islands, a box, split coasts, links of all sorts and land out of play are all as they should be."""
    assert summary() == []


SLIPS: dict[str, tuple[Change, list[str]]] = {
    # what is drawn and what is played
    "another board": (lambda b, s: s.update(board="Large"), ["warning another-board "]),
    "province without a shape": (
        lambda b, s: b["provinces"].append({"id": "NEW", "name": "New", "terrain": "inland"}), ["error no-shape NEW"]),
    "empty shape": (lambda b, s: s["provinces"]["COR"].update(rings=[]), ["error no-shape COR", *(
        f"error {what} COR ({layout})" for layout in ("wide", "narrow")
        for what in ("spot-outside", "spot-outside", "centre-outside")), *(
        f"warning extra-outside COR ({layout})" for layout in ("wide", "narrow") for _ in range(2))]),
    "shape of another name": (
        lambda b, s: rename(s, "COR", "KOR"), ["error no-shape COR", "error shape-of-nothing KOR"]),
    "land out of play needs no province": (lambda b, s: b["provinces"].pop(4), []),
    # borders of land and land
    "border not on the board": (
        lambda b, s: edges(b, "army", "-ALB COR"), ["error border-not-on-board ALB - COR"]),
    "border not drawn": (lambda b, s: contact(s, "ALB", "COR", 2), ["error border-not-drawn ALB - COR"]),
    "border just wide enough": (lambda b, s: contact(s, "ALB", "COR", 24), ["warning doubtful-border ALB - COR"]),
    "border just too narrow": (
        lambda b, s: (contact(s, "ALB", "COR", 16), edges(b, "army", "-ALB COR")),
        ["warning doubtful-border ALB - COR"]),
    "border of the least width": (lambda b, s: contact(s, "ALB", "COR", 20), ["warning doubtful-border ALB - COR"]),
    "border wide enough": (lambda b, s: contact(s, "ALB", "COR", 26), []),
    "corners that meet": (
        lambda b, s: (contact(s, "ALB", "COR", 14), edges(b, "army", "-ALB COR")), []),
    "doubtful border settled": (
        lambda b, s: (contact(s, "ALB", "COR", 24), s["links"].append(
            {"a": "ALB", "b": "COR", "ways": ["army"], "op": "+", "reason": "a pass"})), []),
    "army at sea": (
        lambda b, s: edges(b, "army", "ALB WES"), ["error border-not-drawn ALB - WES"]),
    # borders of water
    "shore not on the board": (
        lambda b, s: edges(b, "fleet", "-BOR SOU"), ["error border-not-on-board BOR - SOU"]),
    "sea not on the board": (
        lambda b, s: edges(b, "fleet", "-WES SOU"), ["error border-not-on-board WES - SOU"]),
    "islands not on the board": (
        lambda b, s: edges(b, "fleet", "-SOU SKE"), ["error border-not-on-board SOU - SKE"]),
    "box not on the board": (lambda b, s: edges(b, "fleet", "-WES OCE"), ["error border-not-on-board WES - OCE"]),
    "split coast not on the board": (
        lambda b, s: edges(b, "fleet", "-INS/NC WES"), ["error border-not-on-board INS - WES"]),
    "sea not drawn": (lambda b, s: edges(b, "fleet", "ALB SOU"), ["error border-not-drawn ALB - SOU"]),
    "shore just wide enough": (lambda b, s: contact(s, "BOR", "SOU", 12), ["warning doubtful-border BOR - SOU"]),
    "shore wide enough": (lambda b, s: contact(s, "BOR", "SOU", 13), []),
    # steps along a coast
    "step to a far shore": (lambda b, s: edges(b, "fleet", "ALB INS/NC"), ["error border-not-drawn ALB - INS"]),
    "step without a sea": (lambda b, s: edges(b, "fleet", "BOR COR"), ["error step-without-sea BOR - COR"]),
    "step that is not on the board": (lambda b, s: edges(b, "fleet", "-ALB BOR"), []),
    "step by a link": (
        lambda b, s: (edges(b, "fleet", "BOR COR"), s["links"].append(
            {"a": "COR", "b": "BOR", "ways": ["fleet"], "op": "+", "reason": "a canal"})), []),
    # links
    "link not followed": (lambda b, s: edges(b, "army", "-BOR INS"), ["error link-unheeded BOR - INS"]),
    "link taken away": (lambda b, s: s["links"].pop(0), ["error border-not-drawn BOR - INS"]),
    "passage taken away": (lambda b, s: s["links"].pop(1), ["error border-not-drawn WES - SKE"]),
    "taken border on the board": (lambda b, s: edges(b, "fleet", "SOU OCE"), ["error link-unheeded SOU - OCE"]),
    "taken step on the board": (
        lambda b, s: s["links"].append({"a": "ALB", "b": "BOR", "ways": ["fleet"], "op": "-", "reason": "surf"}),
        ["error link-unheeded ALB - BOR"]),
    # what a layout must say
    "no place": (
        lambda b, s: s["layouts"]["narrow"].pop("COR"),
        ["error no-spot COR (narrow)", "error no-code COR (narrow)", "error centre-mark COR (narrow)"]),
    "no spot": (lambda b, s: place(s, "COR")["spots"].update({"": []}), ["error no-spot COR (wide)"]),
    "coast without a spot": (lambda b, s: place(s, "INS")["spots"].pop("NC"), ["error no-spot INS (wide)"]),
    "spot for no coast": (
        lambda b, s: place(s, "COR")["spots"].update(NC=[]), ["error spot-for-no-coast COR (wide)"]),
    "no code": (lambda b, s: place(s, "COR", "narrow").pop("labels"), ["error no-code COR (narrow)"]),
    "code of another": (
        lambda b, s: place(s, "COR")["labels"][0].update(text="Kor"), ["error wrong-code COR (wide)"]),
    "code in capitals": (lambda b, s: place(s, "COR")["labels"][0].update(text="COR"), []),
    "no mark of a centre": (lambda b, s: place(s, "COR").pop("centre"), ["error centre-mark COR (wide)"]),
    "mark of no centre": (
        lambda b, s: place(s, "WES").update(centre=[1500, 500, 9]), ["error centre-mark WES (wide)"]),
    # where things lie
    "unit abroad": (
        lambda b, s: move(place(s, "WES")["spots"][""][0], 0, 1200), ["error spot-outside WES (wide)"]),
    "unit in a hole": (
        lambda b, s: place(s, "SOU")["spots"][""].append([1730, 1950, 60]), ["error spot-outside SOU (wide)"]),
    "fleet on the wrong shore": (
        lambda b, s: move(place(s, "INS")["spots"]["SC"][0], 0, 300), ["error spot-outside INS (wide)"]),
    "boat in the sea": (
        lambda b, s: move(place(s, "ALB")["extras"][0], -700, 0), ["warning extra-outside ALB (wide)"]),
    "centre in the sea": (
        lambda b, s: move(place(s, "ALB")["centre"], -700, 0), ["error centre-outside ALB (wide)"]),
    "leader astray": (
        lambda b, s: place(s, "COR")["labels"][0].update({"from": [2000, 300]}), ["error leader-outside COR (wide)"]),
    "leader home": (lambda b, s: place(s, "COR")["labels"][0].update({"from": [3500, 900]}), []),
    "label over the edge": (
        lambda b, s: place(s, "OCE")["labels"][0].update(at=[20, 230]), ["error out-of-frame OCE (wide)"]),
    "unit over the edge": (
        lambda b, s: place(s, "OCE")["spots"][""].append([30, 2900, 84]), ["error out-of-frame OCE (wide)"]),
    # what is in the way
    "labels on each other": (
        lambda b, s: move(place(s, "ALB")["labels"][1]["at"], 0, -30), ["error overlap ALB (wide)"]),
    "label on a neighbour's unit": (
        lambda b, s: place(s, "COR")["labels"][0].update(at=[2810, 1550]), ["error overlap BOR, COR (wide)"]),
    "label on a second unit": (
        lambda b, s: place(s, "BOR", "narrow")["labels"][0].update(at=[2950, 1650]), ["error overlap BOR (narrow)"]),
    "label on the centre": (
        lambda b, s: place(s, "BOR")["labels"][0].update(at=[2800, 1720]), ["error overlap BOR (wide)"]),
    "names out of play count too": (
        lambda b, s: move(place(s, "WAS")["labels"][0]["at"], -60, 580), ["error overlap COR, WAS (wide)"]),
    "second unit over the first": (
        lambda b, s: move(place(s, "BOR")["spots"][""][1], -20, -20), ["warning overlap BOR (wide)"]),
    "units of two coasts": (
        lambda b, s: move(place(s, "INS")["spots"]["SC"][0], 0, -230), ["warning overlap INS (wide)"]),
    "unit on a neighbour's": (
        lambda b, s: (move(place(s, "INS")["spots"]["NC"][0], 0, -70), place(s, "WES")["spots"].update(
            {"": [[1520, 1240, 84]]})), ["error overlap INS, WES (wide)"]),
    "boats on each other": (
        lambda b, s: move(place(s, "ALB")["extras"][0], 20, 0), ["error overlap ALB (wide)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_slips_are_found(name: str) -> None:
    """Each slip is reported under its code, at its place, and nothing else is."""
    change, expected = SLIPS[name]
    assert summary(change) == expected


def test_errors_come_first() -> None:
    """What makes the map wrong is said before what may be meant."""

    def change(board: Any, shapes: Any) -> None:
        contact(shapes, "ALB", "COR", 24)
        shapes["links"].pop(0)

    assert [f.level for f in findings(change)] == ["error", "warning"]


def test_borders_are_told_with_their_length_and_what_to_write() -> None:
    """A finding about a border names both provinces, the contact, the least one, and the row for `edges.csv`."""
    found = findings(lambda b, s: (contact(s, "ALB", "COR", 214.5), edges(b, "army", "-ALB COR")))
    text = "Albany and Corinth touch along 214.5 km (20 make a border), but armies do not pass"
    assert [(f.text, f.hint) for f in found] == [
        (text, "if that is meant, in edges.csv: ALB,COR,-,army,,,and the reason")
    ]
    found = findings(lambda b, s: s["links"].pop(1))
    assert [f.text for f in found] == ["fleets pass, but West Sea and Skerries do not touch"]
    assert found[0].hint == "if that is meant, in edges.csv: WES,SKE,+,fleet,,,and the reason"


def test_the_longer_of_two_lengths_counts() -> None:
    """A contact told by one side only is a contact."""
    assert summary(lambda b, s: s["provinces"]["ALB"]["contact"].pop("COR")) == []


def test_turned_labels_take_the_room_they_take() -> None:
    """A name set aslant may pass where its upright box would not, and is found where it does not."""
    long = {"text": "Borealand the Great and Wide", "role": "name", "size": 40, "at": [2800, 1560]}
    long["width"] = round(text_width(str(long["text"]), 40))

    def aslant(turn: int, dx: int, dy: int) -> list[str]:
        label = {**long, "turn": turn, "at": [2800 + dx, 1560 + dy]}
        return summary(lambda b, s: place(s, "BOR")["labels"].append(label))

    assert aslant(0, 150, -140) == aslant(45, 150, -140) == []
    assert set(aslant(-45, 150, -140)) == {"error overlap BOR (wide)"}
    assert aslant(0, 150, 90) == ["error overlap BOR (wide)"]
    assert aslant(0, 150, 0) != aslant(90, 150, 0) == []


def test_crowded_layouts_are_not_searched() -> None:
    """Shapes made to be slow, with tens of thousands of units on one spot, are refused at once."""

    def change(board: Any, shapes: Any) -> None:
        for layout in shapes["layouts"].values():
            for number in range(200):
                layout[f"N{number}"] = {"spots": {"": [[2000, 700, 9]] * 64}}
        shapes["provinces"].update({f"N{number}": {"rings": []} for number in range(200)})

    assert list(islice((f.where for f in findings(change) if f.code == "crowded"), 3)) == ["wide", "narrow"]
