"""Saved games of jDip (`.jdip`): a gzipped XML of Java objects, as the serializer JSX writes them.

    <jsx><object id="i0" class="dip.world.World"><declaredClass><default>
        <object field="turnStates" ...>, <reference field="map" idref="i7"/> ...

The world has its turns, each with a position and orders, and the map, whose provinces are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain, pairwise
from pathlib import PurePath
from xml.etree.ElementTree import Element

from gamesmaster.errors import BadFile
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import placed
from gamesmaster.formats.saved_games import MOST_PHASES, OF_THEIR_TIME
from gamesmaster.formats.states import order_text, phase_text

_SEASONS = {"1000": "Spring", "2000": "Fall"}
_COASTS = ("", "", "", "", "/nc", "/sc", "/wc", "/ec")
"""The coasts by their numbers; those of armies, wings and single coasts are not written."""
_KINDS = {"army": "A", "fleet": "F", "wing": "W"}
_ORDERS = {"Build": "Build {kind}", "MoveExplicit": "Move"}
"""What `order_text` calls the classes of orders whose names, without the package and `GUI`, it does not know."""


class _Objects:
    """The objects of a file, by their numbers."""

    def __init__(self, root: Element, where: str) -> None:
        self.where = where
        self.by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
        self.known: dict[Element, dict[str | None, Element]] = {}
        self.firsts: dict[Element, str] = {}

    def fields(self, node: Element | None) -> dict[str | None, Element]:
        """Return the fields of an object, or of the one that an element names; none for a null."""
        if node is None:
            return {}
        node = self.named(node)
        if node not in self.known:
            own = (inner for declared in node for inner in declared if inner.tag == "default")
            self.known[node] = {one.get("field"): one for inner in own for one in inner}
        return self.known[node]

    def named(self, node: Element) -> Element:
        """Return the object that an element has or names; raises `BadFile` for an unknown number."""
        if node.tag != "reference":
            return node
        if node.get("idref") not in self.by_id:
            raise BadFile(f"no object has the number {str(node.get('idref'))[:40]!r}", where=self.where)
        return self.by_id[node.get("idref")]

    def at(self, node: Element | None, *path: str) -> Element | None:
        """Return what a path of fields leads to."""
        for name in path:
            node = self.fields(node).get(name)
        return None if node is None else self.named(node)

    def value(self, node: Element | None, *path: str) -> str:
        """Return the text that a path of fields leads to, empty by default."""
        found = self.at(node, *path)
        return "" if found is None else found.get("value") or ""

    def first(self, node: Element | None, name: str) -> str:
        """Return the first text of a list."""
        found = self.at(node, name)
        if found is None:
            return ""
        if found not in self.firsts:
            self.firsts[found] = next((one.get("value") or "" for one in self.items(found)), "")
        return self.firsts[found]

    def items(self, node: Element | None) -> list[Element]:
        """Return what a list or an array holds, or the keys and values of a map in turn."""
        if node is None:
            return []
        own = chain.from_iterable(node) if node.tag == "object" else node
        return [self.named(one) for one in own if one.tag not in ("default", "primitive")]


class _World:
    """Reads the turns of a world."""

    def __init__(self, objects: _Objects) -> None:
        self.objects = objects
        self.node = next((n for n in objects.by_id.values() if n.get("class") == "dip.world.World"), None)
        if self.node is None:
            raise BadFile("no World is in this file of Java objects", where=objects.where)

    @cached_property
    def facts(self) -> dict[str, Element]:
        """What is kept beside the turns, by its name."""
        kept = self.objects.items(self.objects.at(self.node, "nonTurnData"))
        return {str(key.get("value")): value for key, value in zip(kept[::2], kept[1::2], strict=False)}

    @cached_property
    def places(self) -> list[str]:
        """The short names of the provinces, by their numbers."""
        return [self.objects.first(node, "shortNames") for node in self.objects.items(self.map)]

    @property
    def map(self) -> Element | None:
        return self.objects.at(self.node, "map", "provinces")

    def place(self, location: Element | None) -> str:
        coast = self.objects.value(location, "coast", "index")
        return self.objects.first(self.objects.at(location, "province"), "shortNames") + self.coast(coast)

    def coast(self, number: str) -> str:
        return _COASTS[int(number)] if number in {*"01234567"} else ""

    def turns(self) -> list[PhaseData]:
        """Return the data of each turn; `resolved` says whether it is over."""
        turns = self.objects.items(self.objects.at(self.node, "turnStates", "m"))[1::2]
        if not turns or len(turns) > MOST_PHASES:
            raise BadFile(f"it has {len(turns):,} turns, not 1 to {MOST_PHASES:,}", where=self.objects.where)
        return [self.turn(node) for node in turns]

    def turn(self, node: Element) -> PhaseData:
        value = self.objects.value
        season = _SEASONS.get(value(node, "phase", "seasonType", "position"), "Spring")
        kind = value(node, "phase", "phaseType", "constName").capitalize()
        data: PhaseData = {"phase": phase_text(season, value(node, "phase", "yearType", "year"), kind)}
        data |= {"units": {}, "centers": {}, "dislodged": {}, "orders": {}}
        for name, one in zip(
            self.places, self.objects.items(self.objects.at(node, "position", "provArray")), strict=False
        ):
            self.add_province(data, name, one)
        orders = self.objects.items(self.objects.at(node, "orderMap"))
        for power, given in zip(orders[::2], orders[1::2], strict=False):
            name = self.objects.first(power, "names")
            with placed(", ".join(filter(None, (self.objects.where, data["phase"], name)))):
                data["orders"][name] = [self.order(one) for one in self.objects.items(given) if one.get("class")]
        return data | {"resolved": value(node, "isResolved") == "true"}

    def add_province(self, data: PhaseData, name: str, node: Element) -> None:
        """Add what a province holds: a unit, a dislodged one, and the owner of its centre."""
        held = self.objects.fields(node)
        for field, table in (("unit", "units"), ("dislodgedUnit", "dislodged")):
            if kind := self.objects.value(held.get(field), "type", "internalName"):
                power = self.objects.first(self.objects.at(held[field], "owner"), "names")
                coast = self.coast(self.objects.value(held[field], "coast", "index"))
                piece = f"{_KINDS.get(kind, kind[:1].upper())} {name}{coast}"
                data[table].setdefault(power, []).append({"unit": piece} if table == "dislodged" else piece)
        if owner := self.objects.first(held.get("SCOwner"), "names"):
            data["centers"].setdefault(owner, []).append(name)

    def order(self, node: Element) -> str:
        """Return an order in words; raises `BadFile` for one of another class."""
        said = self.objects.fields(node)
        verb = (node.get("class") or "").rpartition(".")[2].removeprefix("GUI")
        kind = _KINDS.get(self.objects.value(said.get("srcUnitType"), "internalName"), "A")
        goal, of = (
            said.get(a) if a in said else said.get(b) for a, b in (("dest", "supDest"), ("supSrc", "convoySrc"))
        )
        to = self.place(said.get("convoyDest", goal))
        via = self.objects.value(said.get("_isViaConvoy")) == "true" or verb == "MoveExplicit"
        what = _ORDERS.get(verb, verb).format(kind=kind)
        return order_text(what, self.place(said.get("src")), to, self.place(of), via=via)


def _games(source: Source) -> Iterator[RecordedGame]:
    game = _game(source)
    del source.root  # hundreds of thousands of objects, which would slow down all that comes after
    yield game


def _game(source: Source) -> RecordedGame:
    assert source.root is not None
    objects = _Objects(source.root, source.where)
    world = _World(objects)
    turns = world.turns()
    resolved = [turn.pop("resolved") for turn in turns]
    for one, after in pairwise(turns):
        one["next"] = {key: after[key] for key in ("phase", "units", "centers", "dislodged")}
    variant = objects.value(world.facts.get("_variant_info_"), "variantName")
    name = objects.value(world.facts.get("_world_metadata_"), "gameName") or PurePath(source.where).stem
    last = turns.pop() if not resolved[-1] or len(turns) > 1 else None
    lost = ("not carried over: names of players, notes, results in words",)
    return RecordedGame(name, (variant or "standard", "standard"), turns, OF_THEIR_TIME, last=last, lost=lost)


FORM = Form(
    id="jdip-game",
    name="saved games of jDip",
    files="`.jdip`, gzipped or not",
    carried="positions, orders, phases",
    derived="the board by the variant's name, or one that has all places of the first phase; retreats, every result",
    lost="names of players, notes, results in words, routes of convoys",
    fits=lambda source: source.tag == "jsx",
    games=_games,
)
