"""The legal orders of a power as a tree for the page, and completions of an order being typed.

The page does not parse orders. It uses the verbs of rows and choices, and the descriptions of verbs given here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeAlias

from django.core.cache import caches
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.board import Board, Location, Terrain, Unit, place_code, place_name, place_words, unit_code
from gamesmaster.host.accounts import people
from gamesmaster.host.orders.completion import Completer
from gamesmaster.host.orders.drafts import draft_preview
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import begun_view, person, respond
from gamesmaster.host.tables.view import SheetView, TableView
from gamesmaster.judge import Tree, accounts, most_removals, order_tree
from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import HOUSE
from gamesmaster.rules import Rules, power_mechanics

STAYING = frozenset({Verb.HOLD, Verb.DISBAND})
"""Verbs of orders after which the unit stays where it is."""
Data: TypeAlias = "dict[str, object]"

KEPT = 7 * 24 * 3600  # seconds
FORM = 6  # version of the cached data
_COASTS = (
    gettext_noop("north coast"),
    gettext_noop("south coast"),
    gettext_noop("east coast"),
    gettext_noop("west coast"),
)
"""The words of `place_words`, listed for translators."""


def verbs_data(keys: Collection[str], own: Iterable[AnyVerb] = ()) -> dict[str, dict[str, object]]:
    """Return the descriptions of the verbs among these keys of choices. `own` are verbs of the game's mechanics."""
    return {verb.value: verb_data(verb) for verb in (*Verb, *own) if verb.value in keys}


def verb_data(verb: AnyVerb) -> dict[str, object]:
    """Return a verb's title and sentence, and whether it is a rider, helps another unit, or stays.

    Only true flags appear. A verb without words for people is called by its name.
    """
    data: dict[str, object] = {"title": _(verb.label), "says": _(verb.phrase.says or verb.label)}
    kinds = {"rider": verb.rider, "helps": verb.helps, "stays": verb in STAYING}
    return data | {name: True for name, holds in kinds.items() if holds}


def choices(view: TableView, power: str, mine: Sequence[str] = ()) -> str:
    """Return the choices of a power in the current phase as JSON.

    `units`: its units, each with a tree.
    `more`: the tree of orders of the power as a whole, such as builds and homes.
    `keys`: for each key of the trees, its province and how it reads.
    `due`: the number of builds or removals that are due.
    `again`: for verbs of orders that may come again for one place, the number of such orders that are due.
    `boxes`: the provinces that hold any number of units.
    `verbs`: descriptions of the verbs in the trees.
    `others`: units of other powers. For those in `mine`, which the viewer orders as well, it includes their
    destination.
    """
    subject = f"{FORM}|{get_language()}|{view.variant.address}|{view.phase_code}|{power}"
    subject += f"|{view.bare_game.rulebook!r}|{view.position!r}"
    name = f"choices.{hashlib.sha256(subject.encode()).hexdigest()}"
    text: str | None = caches["local"].get(name)
    if text is None:
        text = json.dumps(_choices(view, power), separators=(",", ":"))
        caches["local"].set(name, text, KEPT)
    if others := list(_others(view, power, frozenset(mine))):
        return json.dumps({**json.loads(text), "others": others}, separators=(",", ":"))
    return text


def _others(view: TableView, power: str, mine: frozenset[str]) -> Iterator[Data]:
    """Yield the units of other powers; for those in `mine`, with the destination of their saved orders."""
    board, kind = view.variant.board, view.bare_game.phase.kind
    units = [d.unit for d in view.position.dislodged] if kind is PhaseKind.RETREATS else view.position.units
    goals: dict[int, str] = {}
    for sheet in view.sheets if kind is PhaseKind.MOVEMENT else ():
        if sheet.power in mine and sheet.power != power:
            goals.update(_goals(view, sheet))
    for unit in units:
        if unit.power == power or unit.aboard:
            continue
        data: Data = {"n": unit.number, "at": unit.at.province, "power": unit.power, "key": f"{unit.kind} {unit.at}"}
        data["name"] = unit_code(board, unit)
        yield data | ({"mine": True, "goal": goals.get(unit.number, "")} if unit.power in mine else {})


def _goals(view: TableView, sheet: SheetView) -> Iterator[tuple[int, str]]:
    """Yield the number and destination of each unit that saved orders move."""
    try:
        rulings = draft_preview(view, sheet.power, sheet.lines).rulings
    except Refused:  # the power has been eliminated
        return
    for ruling in rulings:
        if ruling.unit and ruling.order and ruling.order.to and ruling.order.verb.like is Verb.MOVE:
            yield ruling.unit.number, ruling.order.to.province


def _choices(view: TableView, power: str) -> Data:
    board, notation = view.variant.board, view.bare_game.rules.notation
    kind = view.bare_game.phase.kind
    trees: dict[int, tuple[Unit, Tree]] = {}
    if kind is not PhaseKind.ADJUSTMENTS:
        for unit in ordered_units(view, power):
            if tree := order_tree(notation, view.legal.of_unit(unit)):
                trees[unit.number] = unit, _single(tree)
    whole = order_tree(notation, view.legal.of_power(kind, power, view.bare_game.season))
    verbs = frozenset(verb.value for verb in (*Verb, *view.bare_game.rules.verbs))
    more: Tree = {key: branch for key, branch in whole.items() if key in verbs}
    keys = {key for _, tree in trees.values() for key in _keys(tree)} | set(_keys(more))
    return {
        "boxes": [p.id for p in board.provinces if p.terrain is Terrain.BOX],
        "phase": view.phase_code,
        "ordinal": view.ordinal,
        "kind": kind.value,
        "due": _due(view, power),
        "again": _again(view, power),
        "power": power,
        "units": _units(view.bare_game.rules, list(trees.values())),
        "more": more,
        "verbs": verbs_data(keys, view.bare_game.rules.verbs),
        "keys": {key: named for key in sorted(keys - verbs) if (named := read_key(view.bare_game.rules, key))},
    }


def _due(view: TableView, power: str) -> int:
    """Return how many builds or removals a power may order; 0 in other phases."""
    game = view.bare_game
    if game.phase.kind is not PhaseKind.ADJUSTMENTS:
        return 0
    most = most_removals(accounts(game.rules, game.position)[power])
    return max([most, *(abs(status.due) for status in game.status if status.power == power)])


def _again(view: TableView, power: str) -> dict[str, int]:
    """Return, by verb, the number of orders due that may be the same."""
    game, found = view.bare_game, dict[str, int]()
    for mechanic in (mechanic for mechanic in power_mechanics(game.rules) if mechanic.repeats):
        due = mechanic.orders_due(game.rules, game.season, game.position).get(power, 0)
        found |= {verb.value: due for verb in mechanic.power_verbs if due}
    return found


def ordered_units(view: TableView, power: str) -> list[Unit]:
    """Return the units that may be ordered, including units aboard."""
    if view.bare_game.phase.kind is PhaseKind.RETREATS:
        return [d.unit for d in view.position.dislodged if d.unit.power == power and not d.unit.aboard]
    return list(view.position.of(power))


def _single(tree: Tree) -> Tree:
    """Return a unit's choices without the top level that names it, if that level has a single branch."""
    if len(tree) == 1 and isinstance(inner := next(iter(tree.values())), dict):
        return inner
    return tree


def _units(rules: Rules, trees: Sequence[tuple[Unit, Tree]]) -> list[Data]:
    """Return the units with their trees. Units of one kind in one place get numbers, so that names are unique."""
    alike = Counter((unit.kind, unit.at) for unit, _ in trees)
    seen: Counter[tuple[str, Location]] = Counter()
    rows = []
    for unit, tree in trees:
        data, same = _unit(rules, unit, tree), (unit.kind, unit.at)
        seen[same] += 1
        if alike[same] > 1:
            data |= {"name": f"{data['name']} ({seen[same]})", "words": f"{data['words']} ({seen[same]})"}
        rows.append(data)
    return rows


def _unit(rules: Rules, unit: Unit, tree: Tree) -> Data:
    """Return a unit; `key` is how the trees of other units name it."""
    board = rules.board
    place = _place(board, unit.at)
    word = next(iter(rules.kinds.get(unit.kind, ())), unit.kind)
    return {
        "n": unit.number,
        "at": unit.at.province,
        "key": f"{unit.kind} {unit.at}",
        "name": unit_code(board, unit),
        "words": _("{word} in {place}").format(word=word, place=place) + (" (aboard)" if unit.aboard else ""),
        "aboard": bool(unit.aboard),
        "tree": tree,
    }


def _keys(tree: Tree) -> Iterator[str]:
    for key, branch in tree.items():
        yield key
        if isinstance(branch, dict):
            yield from _keys(branch)


def read_key(rules: Rules, key: str) -> tuple[str, str] | None:
    """Return the province that a key of the tree means, or "", and how it reads; None if it reads as it is.

    A key is a destination (`STP/NC`, `NWY by convoy`, `44 with 2 things of Macleod`), a unit (`A MAR`, `A from A/F
    BRS`), or a thing that units carry (`thing of Macleod`), which gets the variant's word.
    """
    board, parts = rules.board, key.split(" ")
    for number, part in enumerate(parts):
        at = Location.of(part)
        if at.province in board.index:
            before, after = " ".join(parts[:number]), _with_things(rules, " ".join(parts[number + 1 :]))
            unit = place_name(board, at) if board.numbered else f"{place_code(board, at)}, {_place(board, at)}"
            name = f"{before} {unit}" if before else _place(board, at)
            return at.province, f"{name} {after}".strip()
    return ("", _with_things(rules, key)) if key.startswith(board.thing) else None


def _with_things(rules: Rules, text: str) -> str:
    """Return a key's text with the variant's longest common word for what units carry."""
    thing = rules.board.thing
    word = max(rules.carried_words[:2], key=len, default=thing)

    def phrase(found: re.Match[str]) -> str:
        number = found["number"] or "1"
        return f"a {word}" if number == "1" else f"{number} {word}{'es' if word.endswith('ch') else 's'}"

    return re.sub(rf"(?:(?P<number>\d+) )?\b{re.escape(thing)}s?\b", phrase, text)


def _place(board: Board, at: Location) -> str:
    if board.numbered:
        return place_name(board, at)
    return place_words(board, at, _)


@require_safe
@gzip_page
def table_choices(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the legal orders of a power of the viewer's: `power` of the query, or the first."""
    view = begun_view(request, key)
    wanted = request.GET.get("power", "")
    mine = view.viewer.powers
    if not mine or (wanted and wanted not in mine):
        return JsonResponse({"error": _("You do not give orders for this power."), "hint": ", ".join(mine)}, status=403)
    return respond(request, choices(view, wanted or mine[0], mine), "application/json")


@require_safe
def table_completions(request: HttpRequest, key: str) -> JsonResponse:
    """Return the possible continuations of `text` for `power`, both from the query.

    The dialect is the one that the player chose in the profile, else that of `like`, the dialect of the last order
    typed, else any that fits.
    """
    view = begun_view(request, key)
    power, text = request.GET.get("power", ""), request.GET.get("text", "")
    if power not in view.viewer.powers:
        problem = {"error": _("You do not give orders for this power."), "hint": ", ".join(view.viewer.powers)}
        return JsonResponse(problem, status=403)
    user, titles = person(request), people.dialect_titles()
    own = people.profile(user).dialect if user else HOUSE
    game = view.bare_game
    orders = view.legal.of_power(game.phase.kind, power, game.season)
    wanted = [dialect for dialect in (own, request.GET.get("like", "")) if dialect in titles]
    completion = Completer(game.rules.notation, orders, power).complete(text, *wanted)
    ways = [asdict(way) for way in completion.ways]
    return JsonResponse({"dialect": completion.dialect, "title": titles[completion.dialect], "ways": ways})


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/completions.json", table_completions, name="table-completions"),
    path("t/<slug:key>/choices.json", table_choices, name="table-choices"),
]
