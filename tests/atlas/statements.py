"""What the documents say about the boards, read from `boards/<id>/statements.toml` and asked of a board.

A file is a list of `[[statement]]`s.  Each has the clause it comes from (`clause`), the sentence in our words (`says`),
`reading = true` where it is a decision of the reconstruction and not in the document, and one or more claims.  The
words that a claim may begin with are the keys of `CLAIMS`; there are no others.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.atlas.graph import WAYS, Graph

Faults = Iterable[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about a board and what it claims."""

    clause: str
    says: str
    claims: Mapping[str, Any]
    reading: bool = False

    def faults(self, graph: Graph) -> list[str]:
        """Where the board is not as the sentence says; raises `ValueError` if a claim makes no sense on it."""
        return [f"{word}: {fault}" for word, value in self.claims.items() for fault in CLAIMS[word](graph, value)]


def read_statements(path: Path) -> list[Statement]:
    """The statements of a file; raises `ValueError` for an unknown key and for a statement that claims nothing."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if set(data) != {"statement"}:
        raise ValueError(f"{path}: a file of statements holds [[statement]] and nothing else")
    return [_statement(entry) for entry in data["statement"]]


def _statement(entry: dict[str, Any]) -> Statement:
    clause, says, reading = entry.pop("clause", ""), entry.pop("says", ""), entry.pop("reading", False)
    if not clause or not says:
        raise ValueError(f"{entry}: a statement has a clause and says something")
    if unknown := set(entry) - set(CLAIMS):
        raise ValueError(f"{clause}: no such claim: {', '.join(sorted(unknown))}")
    if not entry or any(value in ([], {}, "", False) for value in entry.values()):
        raise ValueError(f"{clause}: this statement claims nothing")
    return Statement(clause, says, entry, reading)


def _pairs(graph: Graph, value: list[list[str]]) -> Iterator[tuple[str, str]]:
    for pair in value:
        a, b = map(graph.place, pair)
        if a == b:
            raise ValueError(f"{a} twice")
        yield a, b


def _same(what: str, found: Iterable[str], said: Iterable[str]) -> Faults:
    """The two lists hold the same."""
    there, wanted = Counter(found), Counter(said)
    surplus, missing = there - wanted, wanted - there
    if surplus:
        yield f"{what}: not said of {' '.join(sorted(surplus))}"
    if missing:
        yield f"{what}: not so for {' '.join(sorted(missing))}"


def _joined(way: str) -> Callable[[Graph, Any], Faults]:
    """Every pair is joined, both ways."""

    def check(graph: Graph, value: Any) -> Faults:
        for a, b in _pairs(graph, value):
            if not (graph.between(way, a, b) and graph.between(way, b, a)):
                yield f"{a} - {b} is missing"

    return check


def _apart(*ways: str) -> Callable[[Graph, Any], Faults]:
    """No pair is joined by any of these ways, in either direction."""

    def check(graph: Graph, value: Any) -> Faults:
        for a, b in _pairs(graph, value):
            for way in ways:
                if graph.between(way, a, b) or graph.between(way, b, a):
                    yield f"{a} - {b} is joined ({way})"

    return check


def _army_only(graph: Graph, value: Any) -> Faults:
    """These, and no others, are the pairs of shores that armies cross and fleets do not."""
    shores = graph.groups["shore"]
    found = {pair for pair in graph.pairs("army") - graph.pairs("fleet") if pair <= shores}
    said = [frozenset(pair) for pair in _pairs(graph, value)]
    yield from _same("armies only", ("-".join(sorted(p)) for p in found), ("-".join(sorted(p)) for p in said))


def _no_convoy(graph: Graph, value: Any) -> Faults:
    """Fleets pass between each pair, and no convoy does."""
    for a, b in _pairs(graph, value):
        edges = graph.between("fleet", a, b) + graph.between("fleet", b, a)
        if len(edges) < 2 or any(e.convoy for e in edges):
            yield f"{a} - {b} is not a passage closed to convoys"


def _convoyed(wanted: bool) -> Callable[[Graph, Any], Faults]:
    """Some chain (or no chain) of convoying waters joins each pair."""

    def check(graph: Graph, value: Any) -> Faults:
        for a, b in _pairs(graph, value):
            if graph.convoyed(a, b) is not wanted:
                yield f"{a} - {b}: {'no chain of waters joins them' if wanted else 'a chain of waters joins them'}"

    return check


def _neighbours(graph: Graph, value: Any) -> Faults:
    """Exactly these provinces are one step away, by the ways that are named."""
    for place, ways in value.items():
        if not ways or not set(ways) <= set(WAYS):
            raise ValueError(f"{place}: neighbours by army, by fleet, or both")
        for way, said in ways.items():
            yield from _same(f"{place} by {way}", graph.near(way, graph.place(place)), map(graph.place, said))


def _exactly(found: Callable[[Graph, str], Iterable[str]]) -> Callable[[Graph, Any], Faults]:
    """For each place exactly the listed names."""

    def check(graph: Graph, value: Any) -> Faults:
        for key, said in value.items():
            yield from _same(key, found(graph, graph.place(key)), said)

    return check


def _waters(wanted: bool) -> Callable[[Graph, str], Iterable[str]]:
    return lambda graph, key: (p for p in graph.near("fleet", key) if graph.water(p) is wanted)


def _choice(graph: Graph, key: str) -> Iterable[str]:
    """The places from which a fleet could enter more than one coast of this province."""
    coasts = graph.provinces[key].coasts
    if len(coasts) < 2:
        raise ValueError(f"{key} has no two coasts")
    entries = Counter(place for coast in coasts for place in graph.reach(f"{key}/{coast}"))
    return (place for place, number in entries.items() if number > 1)


def _text(read: Callable[[Graph, str], object]) -> Callable[[Graph, Any], Faults]:
    """For each province this word."""

    def check(graph: Graph, value: Any) -> Faults:
        for key, said in value.items():
            if (found := read(graph, graph.place(key))) != said:
                yield f"{key} is {found}, not {said}"

    return check


def _members(word: str, wanted: bool = True) -> Callable[[Graph, Any], Faults]:
    """Each of these provinces belongs (or does not belong) to a group."""

    def check(graph: Graph, value: Any) -> Faults:
        for key in map(graph.place, value):
            if (key in graph.groups[word]) is not wanted:
                yield f"{key} is {'no' if wanted else 'a'} {word}"

    return check


def _all(graph: Graph, value: Any) -> Faults:
    """These, and no others, make up a group."""
    for word, said in value.items():
        if word not in graph.groups:
            raise ValueError(f"no group {word!r}; there are {', '.join(graph.groups)}")
        yield from _same(word, graph.groups[word], map(graph.place, said))


def _homes(graph: Graph, value: Any) -> Faults:
    """These, and no others, are the home provinces of a power; those with a centre bear a star."""
    for power, said in value.items():
        homes = (p for p in graph.provinces.values() if p.home == power)
        yield from _same(power, (p.id + "*" * p.centre for p in homes), said)


def _absent(graph: Graph, value: Any) -> Faults:
    """No province in play answers to this id, name or alias."""
    for word in value:
        for p in graph.provinces.values():
            if word.casefold() in {text.casefold() for text in (p.id, p.name, p.abbr, *p.aliases)}:
                yield f"{word} is in play, as {p.id}"


def _count(graph: Graph, value: Any) -> Faults:
    """There are so many."""
    for word, said in value.items():
        if word not in graph.counts:
            raise ValueError(f"no count of {word!r}; there are {', '.join(graph.counts)}")
        if graph.counts[word] != said:
            yield f"{graph.counts[word]} {word}, not {said}"


def _steps(graph: Graph, value: Any) -> Faults:
    """From the nearest of some places to the nearest of others it is so many steps, or no way leads ("never")."""
    for entry in value:
        fields = dict(entry)
        way, said = fields.pop("way"), fields.pop("is")
        start, goal, without = (fields.pop(k, []) for k in ("from", "to", "without"))
        if fields or way not in (*WAYS, "any") or not start or not goal:
            raise ValueError(f"steps: way, from, to, is, and perhaps without; not {entry}")
        found = graph.distance(way, map(graph.place, start), map(graph.place, goal), map(graph.place, without))
        if found != (None if said == "never" else said):
            yield f"{start} - {goal} by {way}: {found} steps, not {said}"


def _within(graph: Graph, value: Any) -> Faults:
    """These, and no others, are the centres that a fleet reaches in so many steps."""
    start, most = graph.place(value["from"]), value["steps"]
    reached = {c: graph.distance("fleet", [start], [c]) for c in graph.groups["centre"]}
    near = (c for c, steps in reached.items() if steps is not None and steps <= most)
    yield from _same(f"{most} steps from {start}", near, map(graph.place, value["centres"]))


def _ring(graph: Graph, value: Any) -> Faults:
    """A way round by fleet, on which at most so many provinces without a centre follow each other."""
    around = [graph.place(key) for key in value["round"]]
    for a, b in zip(around, around[1:] + around[:1], strict=True):
        if not graph.between("fleet", a, b):
            yield f"{a} - {b} is missing"
    centres = "".join("*" if p in graph.groups["centre"] else "." for p in around)
    if "." * (value["bare"] + 1) in centres * 2:
        yield f"more than {value['bare']} without a centre: {centres}"


def _closed_to(graph: Graph, value: Any) -> Faults:
    """These, and no others, are closed to a kind of unit."""
    for kind, said in value.items():
        found = (p for p in graph.provinces if graph.board.shut("", kind, p))
        yield from _same(kind, found, map(graph.place, said))


def _beyond(graph: Graph, key: str) -> Iterable[str]:
    """The waters and shores that a fleet from this place never reaches."""
    return (p for p in graph.groups["water"] | graph.groups["shore"] if graph.distance("fleet", [key], [p]) is None)


def _spread(graph: Graph, value: Any) -> Faults:
    """So many lands have a number of neighbours by land between two bounds; the mean is as said (one decimal)."""
    degrees = [len(graph.near("army", p)) for p in graph.groups["land"]]
    between = sum(value["low"] <= degree <= value["high"] for degree in degrees)
    if between != value["number"]:
        yield f"{between}, not {value['number']}"
    if "mean" in value and round(sum(degrees) / len(degrees), 1) != value["mean"]:
        yield f"a mean of {sum(degrees) / len(degrees):.2f}, not {value['mean']}"


def _abbreviations(graph: Graph, value: Any) -> Faults:
    """The abbreviations of a group are all written to a pattern; no two on the board are alike, whatever their case."""
    doubled = [
        word for word, number in Counter(p.abbr.casefold() for p in graph.provinces.values()).items() if number > 1
    ]
    if doubled:
        yield f"used twice: {' '.join(doubled)}"
    for word, pattern in value.items():
        for key in sorted(graph.groups[word]):
            if not re.fullmatch(pattern, graph.provinces[key].abbr):
                yield f"{graph.provinces[key].abbr} is not written {pattern}"


CLAIMS: dict[str, Callable[[Graph, Any], Faults]] = {
    "army": _joined("army"),
    "fleet": _joined("fleet"),
    "no_army": _apart("army"),
    "no_fleet": _apart("fleet"),
    "no_link": _apart(*WAYS),
    "army_only": _army_only,
    "no_convoy": _no_convoy,
    "convoyed": _convoyed(True),
    "never_convoyed": _convoyed(False),
    "neighbours": _neighbours,
    "reach": _exactly(Graph.reach),
    "coasts": _exactly(lambda graph, key: graph.provinces[key].coasts),
    "choice": _exactly(_choice),
    "waters": _exactly(_waters(True)),
    "shores": _exactly(_waters(False)),
    "terrain": _text(lambda graph, key: graph.provinces[key].terrain.value),
    "name": _text(lambda graph, key: graph.provinces[key].name),
    "abbr": _text(lambda graph, key: graph.provinces[key].abbr),
    "degree": _text(lambda graph, key: len(graph.near("army", key))),
    "centre": _members("centre"),
    "no_centre": _members("centre", wanted=False),
    "no_home": _members("home", wanted=False),
    "all": _all,
    "homes": _homes,
    "absent": _absent,
    "count": _count,
    "steps": _steps,
    "within": _within,
    "ring": _ring,
    "closed_to": _closed_to,
    "beyond": _exactly(_beyond),
    "spread": _spread,
    "abbreviations": _abbreviations,
}
