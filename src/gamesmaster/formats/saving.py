"""Games as saved games of the PyPI package `diplomacy`, which that package, DipNet and this program read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from gamesmaster.board import Location, Position, Unit
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.states import BUILD_ANYWHERE
from gamesmaster.formats.written import (
    JSON,
    Exported,
    builds_anywhere,
    lost_of_variant,
    own_form,
    plain_pieces,
    three_letters,
    without_secrets,
)
from gamesmaster.game import Game, State, ending_text
from gamesmaster.judge import DISLODGED, LegalOrders, OrderReader
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import Result, Ruling
from gamesmaster.variant import Phase, Variant

_LETTERS: dict[AnyVerb, str] = {
    Verb.HOLD: "H", Verb.MOVE: "-", Verb.SUPPORT: "S", Verb.CONVOY: "C", Verb.RETREAT: "R", Verb.DISBAND: "D",
    Verb.BUILD: "B", Verb.REMOVE: "D",
}  # fmt: skip
_RESULTS = {
    Result.BOUNCES: "bounce", Result.CUT: "cut", Result.VOID: "void", Result.NO_CONVOY: "no convoy",
    Result.DISRUPTED: "disrupted", Result.FAILS: "void",
}  # fmt: skip
_KINDS = {PhaseKind.MOVEMENT: "M", PhaseKind.RETREATS: "R", PhaseKind.ADJUSTMENTS: "A"}


def power_key(name: str) -> str:
    """Return the name of a power as files of the package have it: `BARBARY_STATES`."""
    return re.sub(r"\W+", "_", name).upper()


def saved_game(game: Game, viewer: str = "", name: str = "game") -> Exported:
    """Return a game as a saved game, and our own form beside it.

    Raises `NotFound` for an unknown viewer, `GamesmasterError` for units that the package does not know.
    """
    made = Exported("saved-game")
    data = saved_game_data(game, viewer, name, made.lost)
    made.files[f"{name}.json"] = json.dumps(data).encode()
    own_form(made, without_secrets(game, viewer), name)
    return made


def json_lines(game: Game, viewer: str = "", name: str = "game") -> Exported:
    """Return a game as a line of JSON Lines; else as `saved_game`."""
    made = saved_game(game, viewer, name)
    made.form = "json-lines"
    made.files[f"{name}.jsonl"] = made.files.pop(f"{name}.json") + b"\n"
    return made


def saved_game_data(game: Game, viewer: str, name: str, lost: list[str]) -> JSON:
    """Return the data of a saved game; what it does not hold is added to `lost`."""
    plain_pieces(game.variant, "PyPI diplomacy")
    anywhere = builds_anywhere(game.variant, lost)
    lost += lost_of_variant(game.variant)
    writer = _Writer(without_secrets(game, viewer), name, three_letters(game.variant.board, lost))
    writer.rules += [BUILD_ANYWHERE] if anywhere else []
    if game.throws:
        lost.append("not carried over: dice")
    lost.append("not carried over: reasons of results, house rules, players")
    return {"id": name, "map": writer.map, "rules": writer.rules, "phases": list(writer.phases())}


class _Writer:
    """Writes the phases of a game, with what is the same in all of them."""

    def __init__(self, game: Game, name: str, codes: Mapping[str, str]) -> None:
        self.game, self.name, self.position = game, name, game.position
        self.variant: Variant = game.variant
        self.codes = codes
        self.keys = {power.name: power_key(power.name) for power in self.variant.powers}
        self.map = self.variant.family
        self.rules = ["NO_PRESS"]
        self.influence: dict[str, str] = {home: power.name for power in self.variant.powers for home in power.homes}

    def phases(self) -> Iterator[JSON]:
        """Yield each phase that is over, then the one being played."""
        for record in self.game.records:
            self.position = record.position
            judged = self.game.adjudication(record)
            orders: dict[str, list[str]] = {key: [] for key in self.keys.values()}
            results: dict[str, list[str]] = {}
            for ruling in judged.rulings:
                if ruling.order and ruling.power in self.keys:
                    orders[self.keys[ruling.power]].append(self.order(ruling.order, record.phase.kind))
                if ruling.unit or (ruling.order and ruling.order.at):
                    results[self.unit(ruling)] = [*self.words(ruling)]
            yield self.phase(record.phase, record.position, orders, results)
        self.position = self.game.position
        read = self.game.rules.derive(OrderReader).read
        kind = self.game.phase.kind
        given = {power: [read(text, kind).order for text in texts] for power, texts in self.game.orders.items()}
        own = {self.keys[power]: [self.order(one, kind) for one in ones if one] for power, ones in given.items()}
        last = self.phase(self.game.phase, self.game.position, own, {})
        if self.game.outcome:
            last["name"] = last["state"]["name"] = OVER
            last["state"]["note"] = ending_text(self.game)
        yield last

    def phase(self, phase: Phase, position: Position, orders: JSON, results: JSON) -> JSON:
        """Return a phase with its state."""
        code = f"{phase.season[0].upper()}{abs(phase.year):04}{_KINDS[phase.kind]}"
        code = phase.code if len(phase.code) == len(code) else code
        return {"name": code, "state": self.state(code, phase, position), "orders": orders, "results": results,
                "messages": []}  # fmt: skip

    def state(self, code: str, phase: Phase, position: Position) -> JSON:
        """Return the state of a phase."""
        keys, codes = self.keys, self.codes
        units: dict[str, list[str]] = {key: [] for key in keys.values()}
        retreats: dict[str, dict[str, list[str]]] = {key: {} for key in keys.values()}
        centers: dict[str, list[str]] = {key: [] for key in keys.values()}
        for unit in position.units:
            units.setdefault(keys.get(unit.power, power_key(unit.power)), []).append(self.piece(unit))
            self.influence[unit.at.province] = unit.power
        for out in position.dislodged:
            key = keys.get(out.unit.power, power_key(out.unit.power))
            units.setdefault(key, []).append(DISLODGED + self.piece(out.unit))
            retreats.setdefault(key, {})[self.piece(out.unit)] = [self.place(place) for place in out.retreats]
        for centre, owner in position.owners.items():
            centers.setdefault(keys.get(owner, power_key(owner)), []).append(codes[centre])
        influence = {key: [codes[p] for p, owner in self.influence.items() if owner == name]
                     for name, key in keys.items()}  # fmt: skip
        return {
            "timestamp": 0, "zobrist_hash": "0", "note": "", "name": code, "units": units, "retreats": retreats,
            "centers": centers, "homes": {keys[p.name]: [codes[h] for h in p.homes] for p in self.variant.powers},
            "influence": influence, "civil_disorder": dict.fromkeys(keys.values(), 0),
            "builds": self.builds(phase, position), "game_id": self.name, "map": self.map, "rules": self.rules,
        }  # fmt: skip

    def builds(self, phase: Phase, position: Position) -> dict[str, JSON]:
        """Return how many units each power may build, fewer than none for removals, and where."""
        found: dict[str, JSON] = {key: {"count": 0, "homes": []} for key in self.keys.values()}
        if phase.kind is not PhaseKind.ADJUSTMENTS:
            return found
        game = self.game
        state = State(game.variant, game.rulebook, phase, position, game.house_rules)
        legal = LegalOrders(state.rules, position)
        for status in state.status():
            orders = legal.of_power(phase.kind, status.power, state.season) if status.due > 0 else ()
            sites = (self.codes[one.at.province] for one in orders if one.at and one.verb is Verb.BUILD)
            found[self.keys[status.power]] = {"count": status.due, "homes": list(dict.fromkeys(sites))}
        return found

    def place(self, at: Location) -> str:
        return f"{self.codes[at.province]}/{at.coast}" if at.coast else self.codes[at.province]

    def piece(self, unit: Unit) -> str:
        return f"{unit.kind} {self.place(unit.at)}"

    def unit(self, ruling: Ruling) -> str:
        """Return the unit that a ruling is about, as results name it."""
        if ruling.unit:
            return self.piece(ruling.unit)
        order = ruling.order
        return f"{order.kind} {self.place(order.at)}" if order and order.at else ""

    def words(self, ruling: Ruling) -> Iterator[str]:
        """Yield the words of a result; none for success."""
        if ruling.result in _RESULTS:
            yield _RESULTS[ruling.result]
        if ruling.dislodged:
            yield "dislodged"

    def order(self, order: Order, kind: PhaseKind) -> str:
        """Return an order in the package's notation."""
        if order.at is None or order.verb not in _LETTERS:
            return "WAIVE"
        words = [order.kind or self.kind_at(order.at), self.place(order.at), _LETTERS[order.verb]]
        if order.of:
            words += [order.of_kind or self.kind_at(order.of), self.place(order.of)]
            words += ["-"] if order.to else []
        words += [self.place(order.to)] if order.to else []
        words += ["VIA"] if order.via else []
        return " ".join(words)

    def kind_at(self, at: Location) -> str:
        unit = self.position.at(at.province)
        return unit.kind if unit else "A"
