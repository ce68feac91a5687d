"""Variants on disk: a folder with `board.json` and `variant.toml`, described in `docs/board-files.md`."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from gamesmaster.board import Board, Position, board_data, read_board, units_from
from gamesmaster.errors import BadFile, BadRulebook, NotFound, must_be, nearest
from gamesmaster.mechanics import IMPLIED, implied_mechanics, make_mechanic
from gamesmaster.orders import STANDARD_KINDS
from gamesmaster.plugins import brought, load
from gamesmaster.rules import (
    USUAL,
    BoardMechanic,
    Clauses,
    Mechanic,
    ReasonText,
    Rulebook,
    Rules,
    causes_with,
    events_with,
    extend,
    in_season,
)
from gamesmaster.variant import model
from gamesmaster.variant.calendar import Calendar, Slot
from gamesmaster.variant.house_rules import HouseRules
from gamesmaster.variant.model import Edition, Lead, Option, Power, Variant, Victory
from gamesmaster.variant.sources import (
    Table,
    absent,
    changed_board,
    choose,
    complete,
    edition_in,
    find_mechanics,
    folder_of,
    full_name,
    is_packaged,
    read_toml,
    shelf,
    split_name,
    tables,
    variant_data,
    variant_names,
)

if TYPE_CHECKING:
    from gamesmaster.variant.file_models import CalendarEntry, ChoiceEntry, VariantFile


_SHOWN = {"plural", "colour", "letter"}  # of a power: how it is worded and drawn


def find_variant(name: str) -> Variant:
    """Return the package's variant with this id, in any case of letters; read once in a process.

    Options follow in brackets: `cline9[turkey=fleet-smyrna]`.  Other packages bring variants as entry points of the
    group `gamesmaster.variants`, each the `Path` of a folder.  Raises `NotFound` with the nearest id, option or choice.
    """
    must_be(str, name, "the name of a variant")
    plain, chosen = split_name(name)
    known = variant_names()
    if plain.casefold() in known:
        return _packaged_variant(full_name(plain.casefold(), chosen))
    others = brought("variants")
    if plain in others:
        return read_variant(load(others[plain], "variant", Path), chosen)
    known = (*known, *others)
    raise NotFound(f"no variant {plain[:80]!r}", hint=nearest(plain, known) or f"known: {', '.join(known)}")


@lru_cache(maxsize=200)
def _packaged_variant(name: str) -> Variant:
    plain, chosen = split_name(name)
    folder = shelf() / plain
    return variant_of_data(folder, variant_data(folder), chosen)


def read_variant(
    folder: Path | str,
    options: Mapping[str, str] | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
) -> Variant:
    """Return the variant in a folder, with its own choices or others (`options`: choice by option).

    `parameters` change single parameters of its mechanics, by the mechanic's name: to see what comes of them.  Raises
    `NotFound` if one of its files is missing, `BadFile` (`BadBoard` for the board) naming the file, the key and the
    nearest right thing.
    """
    path = Path(folder)
    if is_packaged(str(folder)) and not path.exists():
        raise NotFound(f"no folder {path}", hint=f"find_variant({str(folder)!r}) finds the package's own")
    variant = variant_of_data(path, variant_data(path), options, parameters)
    if parameters:
        return variant  # with other parameters it is not the variant in these files
    return replace(variant, edition=edition_in(path, variant.board_of))


def variant_of_data(
    folder: Path,
    data: Mapping[str, object],
    options: Mapping[str, str] | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
) -> Variant:
    """Return the variant in a folder as `read_variant` does, with `data` instead of the folder's own `variant_data`."""

    def board(shared: str) -> Board:
        return read_board((folder_of(shared, folder) if shared else folder) / model.BOARD)

    return _make_variant(data, board, str(folder / model.VARIANT), options or {}, parameters or {})


def read_edition(edition: Edition, options: Mapping[str, str] | None = None) -> Variant:
    """Return the variant in an edition, with its own choices or others; raises what `read_variant` raises."""
    if edition.text(model.FOREIGN):
        raise BadFile("a board of another program", where=edition.where, hint="gamesmaster.formats.read_any_edition")

    def contents(name: str) -> Mapping[str, object]:
        return read_toml(edition.text(name).encode(), edition.place(name))

    whole = complete(contents(model.VARIANT), lambda _: contents(model.BASE), edition.place(model.VARIANT))

    def board(_: str) -> Board:
        return read_board(edition.text(model.BOARD), where=edition.place(model.BOARD))

    made = _make_variant(whole, board, edition.place(model.VARIANT), options or {}, {})
    return replace(made, edition=edition)


def _make_variant(
    data: Mapping[str, object],
    read: Callable[[str], Board],
    where: str,
    options: Mapping[str, str],
    parameters: Mapping[str, Mapping[str, object]],
) -> Variant:
    """Return the variant of these data.

    `read` has its board, or that of the variant of this name with which it shares one.
    """
    from gamesmaster.schemas import validate
    from gamesmaster.variant.file_models import VariantFile

    file = validate(VariantFile, data, BadFile, where)
    others, choices = choose(file, options)
    board = read(file.board or "")
    if file.units:  # the board, for the kinds of unit that the variant has
        board = replace(board, ways={kind: entry.way for kind, entry in file.units.items()})
    board = changed_board(board, choices, where)
    # clauses, words and drawings decide no result, and each game keeps its house rules
    decisive = {key: value for key, value in data.items() if key not in ("clauses", "house_rules")}
    decisive["powers"] = [entry.model_dump(exclude=_SHOWN, exclude_unset=True) for entry in file.powers]
    content: dict[str, object] = {"board": board_data(board), "variant": decisive}
    content |= {key: value for key, value in {"options": others, "parameters": parameters}.items() if value}
    mechanics = tables(file, choices, parameters, where)
    return _Builder(file, board, choices, mechanics, where).variant(full_name(file.id, others), digest(content))


def digest(content: object) -> str:
    """Return the SHA-256 of JSON data in hexadecimal; the order of keys and the layout of the file do not matter."""
    import hashlib  # slow to import, and needed only when a variant is read

    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Builder:
    """Turns a well-formed file into a `Variant`, refusing what does not fit the board."""

    def __init__(
        self, file: VariantFile, board: Board, choices: Sequence[ChoiceEntry], asked: Sequence[Table], where: str
    ) -> None:
        self.file, self.choices, self.where = file, choices, where
        self.absent = absent(file, choices, where)
        self.mechanics = (*self.read_mechanics(asked, board), *implied_mechanics(board))
        self.board = extend(board, self.mechanics)

    def fault(self, what: str, *path: str | int, hint: str = "") -> NoReturn:
        from gamesmaster.schemas import place

        raise BadFile(what, where=place(self.where, path), hint=hint)

    def variant(self, name: str, digest: str) -> Variant:
        powers = tuple(self.powers())
        made = Variant(
            id=name,
            name=self.file.name,
            board=self.board,
            powers=powers,
            start=Position(
                units_from({power.name: power.units for power in powers}, forms=self.board.forms), self.owners(powers)
            ),
            calendar=self.calendar(self.file.calendar),
            victory=self.victory(),
            build_sites=self.file.build_sites,
            rulebook=self.rulebook(),
            options=tuple(Option(o.name, o.says, tuple(o.choices), o.default) for o in self.file.options),
            mechanics=self.mechanics,
            kinds=self.kinds(),
            digest=digest,
            board_of=self.file.board or "",
            clauses=self.clauses(),
            house_rules=self.house_rules(),
        )
        start, rules = made.start, Rules.of(made)
        for mechanic_start in rules.hooks(BoardMechanic.start):
            start = mechanic_start(rules, start)
        return replace(made, start=in_season(rules, made.calendar.season(made.calendar.first), start))

    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Return words for each kind of unit: the variant's own, and those of the mechanics."""
        own = {kind: (entry.name, *entry.also) for kind, entry in self.file.units.items()}
        added = (mechanic.kinds() for mechanic in self.mechanics)
        return reduce(lambda known, more: known | dict(more), added, own or dict(STANDARD_KINDS))

    def clauses(self) -> Clauses:
        """Return the wording of reasons: from its own rulebook, else from its mechanics."""
        sayings, known = self.file.clauses, reduce(lambda all_, m: all_.over(m.sayings()), self.mechanics, USUAL)
        kinds = [*find_mechanics(self.file), *IMPLIED]
        causes, events = causes_with(kinds), events_with(kinds)
        for table, given, names in (
            ("orders", sayings.orders, [*causes, *known.orders]),
            ("events", sayings.events, [*events, *known.events]),
        ):
            for word in given:
                if word not in names:
                    self.fault(f"no cause or event {word!r}", "clauses", table, hint=nearest(word, names))
        own = {
            word: ReasonText(one) if isinstance(one, str) else ReasonText(one.clause, one.says)
            for word, one in sayings.orders.items()
        }
        return Clauses(own, {word: ReasonText(clause) for word, clause in sayings.events.items()}).over(known)

    def read_mechanics(self, tables: Sequence[Table], board: Board) -> tuple[Mechanic, ...]:
        from gamesmaster.schemas import place

        mechanics = tuple(make_mechanic(table, place(self.where, path)) for path, table in tables)
        known = {
            "power": [entry.name for entry in self.file.powers],
            "province": board.index,
            "kind": [*board.ways, *(kind for mechanic in mechanics for kind in mechanic.kinds())],
            "season": [
                season
                for entry in self.file.calendar.phases
                for name in (entry.season, *entry.also)
                for season in (name, f"{name} {entry.kind}")
            ],
        }
        for mechanic, (path, _) in zip(mechanics, tables, strict=True):
            check_names(mechanic, known, place(self.where, path))
        return mechanics

    def victory(self) -> Victory:
        changes: dict[str, Any] = {key: number for choice in self.choices for key, number in choice.victory.items()}
        conditions = self.file.victory.model_copy(update=changes)
        for power in conditions.of:
            if power not in (names := [entry.name for entry in self.file.powers]):
                self.fault(f"no power {power!r}", "victory", "of", hint=nearest(power, names))
        of = {power: number for power, number in conditions.of.items() if power not in self.absent}
        return Victory(
            conditions.centres,
            conditions.count,
            of,
            conditions.last,
            conditions.when,
            conditions.units,
            lead=Lead(**conditions.lead.model_dump()) if conditions.lead else None,
            last_year=conditions.last_year,
            then=conditions.then,
        )

    def powers(self) -> Iterator[Power]:
        taken: set[str] = set()
        openings = {power: units for choice in self.choices for power, units in choice.units.items()}
        for power in openings:
            if power not in (names := [entry.name for entry in self.file.powers]):
                self.fault(f"no power {power!r}", "options", hint=nearest(power, names))
        for number, entry in enumerate(self.file.powers):
            if entry.name.casefold() in taken:
                self.fault(f"{entry.name} is listed twice", "powers", number, "name")
            taken.add(entry.name.casefold())
            if entry.name in self.absent:
                continue
            own = [p for p in self.board.provinces if p.home == entry.name]
            homes = self.ids(entry.homes, "powers", number, "homes")
            yield Power(
                name=entry.name,
                adjective=entry.adjective or entry.name,
                plural=entry.plural,
                also=tuple(entry.also),
                colour=entry.colour,
                letter=entry.letter,
                homes=tuple(p.id for p in own if p.centre) if homes is None else homes,
                provinces=tuple(p.id for p in own),
                units=self.units(openings.get(entry.name, entry.units), number),
            )

    def ids(self, given: Sequence[str] | None, *path: str | int) -> tuple[str, ...] | None:
        for place, key in enumerate(given or ()):
            if key not in self.board.index:
                self.fault(f"no province {key!r}", *path, place, hint=nearest(key, self.board.index))
        return None if given is None else tuple(given)

    def units(self, given: Sequence[str], number: int) -> tuple[str, ...]:
        places = {str(location) for location in self.board.locations}
        for place, text in enumerate(given):
            kind, _, where = text.partition(" ")
            if kind not in self.board.ways:
                known = ", ".join(self.board.ways)
                self.fault(f"no kind of unit {kind}", "powers", number, "units", place, hint=f"known: {known}")
            if where not in places:
                self.fault(f"no place {where!r}", "powers", number, "units", place, hint=nearest(where, places))
        return tuple(given)

    def owners(self, powers: Sequence[Power]) -> dict[str, str]:
        owners: dict[str, str] = {}
        unowned = {key for choice in self.choices for key in self.ids(choice.unowned, "options") or ()}
        playing = {power.name: power for power in powers}
        for number, entry in enumerate(self.file.powers):
            if entry.name not in playing:
                continue
            power = playing[entry.name]
            owned = self.ids(entry.centres, "powers", number, "centres")
            for key in power.homes if owned is None else owned:
                if owners.setdefault(key, power.name) != power.name:
                    self.fault(f"{key} starts in the hands of {owners[key]} already", "powers", number)
        return {key: owner for key, owner in owners.items() if key not in unowned}

    def calendar(self, entry: CalendarEntry) -> Calendar:
        slots = tuple(
            Slot(e.season, e.kind, e.letter or e.season[0].upper(), tuple(e.also), e.years, e.count, e.dated)
            for e in entry.phases
        )
        try:
            calendar = Calendar(slots, entry.first_year, entry.years_per_turn, entry.era)
            first = calendar.read(entry.first_phase) if entry.first_phase else calendar.first
        except BadFile as error:
            self.fault(error.what, "calendar")
        except NotFound as error:
            self.fault(error.what, "calendar", "first_phase", hint=error.hint)
        starts = (replace(calendar, start=number) for number in range(len(slots)))
        begun = next((calendar for calendar in starts if calendar.first == first), None)
        return begun or self.fault(f"{first} is not in the turn of {entry.first_year}", "calendar", "first_phase")

    def rulebook(self) -> str | Mapping[str, Any]:
        choices: str | dict[str, Any] = self.file.rulebook
        overrides = {key: value for choice in self.choices for key, value in choice.rulebook.items()}
        if overrides:
            choices = ({"preset": choices} if isinstance(choices, str) else choices) | overrides
        try:
            Rulebook.of(choices)
        except BadRulebook as error:
            self.fault(error.what, "rulebook", hint=error.hint)
        return choices

    def house_rules(self) -> str | Mapping[str, Any]:
        choices = self.file.house_rules
        try:
            HouseRules.of(choices)
        except BadRulebook as error:
            self.fault(error.what, "house_rules", hint=error.hint)
        return choices


Known = Mapping[str, Collection[str]]
"""The names there are, by what they name: `power`, `province`, `kind`, `season`."""


def check_names(mechanic: Mechanic, known: Known, where: str) -> None:
    """Raise `BadFile` for a parameter that names something unknown, with the nearest known name.

    `where` is the place of the mechanic's table.
    """
    for parameter, name, sort in names_in(mechanic, mechanic.names):
        if name not in known[sort] and not (sort == "season" and name.casefold() in map(str.casefold, known[sort])):
            what = {"kind": "kind of unit"}.get(sort, sort)
            hint = nearest(name, known[sort]) or f"known: {', '.join(sorted(known[sort])[:12])}"
            raise BadFile(f"no {what} {name[:60]!r}", where=f"{where}.{parameter}", hint=hint)


def names_in(value: object, names: Mapping[str, str], sort: str = "", key: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield every name that a mechanic's parameters contain: outermost parameter, name, and sort of the thing named.

    `names` maps parameters to the sort of thing that they name; `sort` and `key` are those of a nested value.
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
        for inner, part in value.items():
            yield from names_in(part, names, names.get(inner, ""), key or inner)
    elif isinstance(value, str):
        if sort and value:
            yield key, value, sort
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            if sort:
                yield key, str(inner), sort
            yield from names_in(part, names, names.get(str(inner), ""), key)
    elif isinstance(value, Collection):
        for part in value:
            yield from names_in(part, names, sort, key)
