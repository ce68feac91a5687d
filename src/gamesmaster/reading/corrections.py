"""Corrections: what becomes of the orders that a letter takes back, or says two things about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words, rank
from gamesmaster.orders.words import key
from gamesmaster.reading.entries import Entry, action_of, same_unit, unit_of
from gamesmaster.reading.lines import PHASES, LineReader, Spans
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sections import REVOKED, UNSURE, Headings, Why
from gamesmaster.reading.sheet import Purpose, SheetLine
from gamesmaster.reading.single import CODE

_SPOKEN = (Purpose.CHAT, Purpose.NOTHING)
LONGEST_CORRECTION = 40  # words
_LABEL = 2  # words of a heading that tell it from those beside it
_UNDECIDED = (*UNSURE, "said", "cancels")
_ELSEWHERE = ("condition", "alternative", "doubt", "draft", "next", "past", "said")
"""Tables of words in a heading that is not understood, with which nothing below it touches the orders."""
_OF_UNITS = frozenset(PHASES) - {Verb.BUILD, Verb.WAIVE}


def correction(entries: Sequence[Entry], whole: Passage, reader: LineReader) -> list[SheetLine] | None:
    """Return the orders that replace others, and drop those; None if the words are not a plain correction.

    Orders that the words may mean are then doubtful.
    """
    if (cancelled := reader.cues.has("cancels", whole.said)) and " p s" in whole.said[cancelled.end() :]:
        return _restore(entries)  # "Ignore the P.S."
    kept = {at for where in whole.find(reader.cues("instead")) for at in where}
    bare = whole.outside([where for where in whole.find(reader.cues("filler")) if not kept & set(where)])
    found, more = reader.spans(whole), reader.spans(bare) if bare.words else []
    piece, found = (whole, found) if len(found) >= len(more) > 0 or not bare.words else (bare, more)
    has, known = reader.cues.has, [entry for entry in entries if entry.order]
    old, new, denied_orders = _old_and_new(piece, found, known, reader)
    named = named_units(piece, reader, entries, goals=not new)
    winter = reader.kind is PhaseKind.ADJUSTMENTS
    denied = denied_builds(piece, known, reader)
    told = (*(line.order for line in new), *(entry.order for entry in named * winter))
    places = {unit_of(order) for order in told if order}
    begun = reader.begins(piece).items()
    unread = any(places.isdisjoint(at) for start, at in begun if not any(start in where for where, _ in found))
    if not new and not old and len(named) == 1:
        new = _resumed(piece, named[0], reader) or _redirected(piece, named[0], reader)
        unread = unread and not new
    text, cancels = reader.cues("correction").sub("", piece.said), bool(denied or has("cancels", piece.said))
    unsure = "?" in text or reader.cues("leads").match(text) or has("condition", text) or has("doubt", text)
    if (unread and new) or unsure or not (new or cancels):
        if has("correction", piece.said) and not has("greeting", text):
            named = concerned(piece, reader, entries, goals=cancels)
            numbers = reader.cues("above").sub("", piece.said)
            for entry in named or numbered(entries, numbers, reader.cues):
                entry.doubt(Why.CHOICE)
        return None
    swaps = winter and reader.cues.any(("instead", "nothing"), piece.said)  # other units for those built
    swapped = denied or (old or named * (len(named) == len(new)) if swaps else [])
    units = {unit_of(line.order) for line in new if line.order}
    replaced = [entry for entry in known if entry.order and unit_of(entry.order) in units]
    replaced = replaced or [entry for entry in entries if entry.was and unit_of(entry.was) in units]
    taken_back = replaced or swapped if new else denied or old or named
    taken_back = taken_back or ([] if new else numbered(entries, text, reader.cues))
    if not taken_back and winter and has("cancels", piece.said) and reader.cues("oops").match(piece.said):
        taken_back = known[-1:]  # "Scratch that, remove Tyrolia"
    for entry in taken_back:
        entry.drop()
    units = {unit_of(order) for order in denied_orders}  # perhaps of a letter before this one
    swaps = bool(new) and not known and all(line.order and unit_of(line.order) in units for line in new)
    return new if taken_back or swaps else None


def swapped_goal(piece: Passage, entries: Sequence[Entry], reader: LineReader) -> tuple[Entry, Passage] | None:
    """Return the entry whose goal words deny, and the other words: "Budapest goes to Serbia and not to Rumania"."""
    for where in piece.find(reader.cues("instead")):
        at = where.stop
        while at < len(piece.keys) and reader.is_article(piece.keys[at]) and not reader.place_at(piece, at):
            at += 1
        place = reader.place_at(piece, at) if at < len(piece.keys) else None
        if place and (place[0] == len(piece.keys) or place[0] in piece.breaks | piece.stops):
            joined = where.start and piece.keys[where.start - 1] in note_words("join")
            rest = piece.outside([range(where.start - bool(joined), place[0])])
            named = named_units(rest, reader, entries) if rest.words else []
            order = named[0].order if len(named) == 1 else None
            if order and order.to and not order.of and order.to.province in place[1]:
                return named[0], rest
    return None


def denied_builds(piece: Passage, entries: Sequence[Entry], reader: LineReader) -> list[Entry]:
    """Return the entries for builds that words deny: "no build in Moscow, but a fleet in Sevastopol"."""
    contrasts = {where.start for where in piece.find(reader.cues("contrast"))}
    ends = sorted({0, *piece.breaks, *piece.stops, *contrasts, len(piece.keys)})
    clauses = [piece.part(start, end) for start, end in pairwise(ends)]
    denied = (one for one in clauses if reader.cues.any(("negation", "nothing", "denies"), one.said))
    places = frozenset[str]().union(*map(reader.provinces, denied))
    built = [entry for entry in entries if entry.order and entry.order.verb is Verb.BUILD]
    return [entry for entry in built if entry.order and unit_of(entry.order) in places]


def _restore(entries: Sequence[Entry]) -> list[SheetLine]:
    """Restore orders that were replaced before, and drop those that replaced them; return no new ones."""
    replaced = {unit_of(entry.was): entry for entry in entries if entry.was and entry.line.what == Why.REPLACED}
    for entry in entries:
        if entry.order and unit_of(entry.order) in replaced:
            entry.drop()
    for entry in replaced.values():
        entry.purpose, entry.line = Purpose.NOW, replace(entry.line, order=entry.was, what="")
    return []


def _old_and_new(
    piece: Passage, found: Spans, known: list[Entry], reader: LineReader
) -> tuple[list[Entry], list[SheetLine], list[Order]]:
    """Return the entries that words repeat, the other orders named, and the orders that they take back."""
    behind = {where.stop for where in piece.find(reader.cues("instead"))}
    denied = [line.order for where, lines in found if where.start in behind for line in lines if line.order]
    old, new = list[Entry](), list[SheetLine]()
    for where, lines in found:
        same = [entry for line in lines for entry in known if action_of(entry.order) == action_of(line.order)]
        old += same
        new += [] if same or where.start in behind else lines
    return old, new, denied


def _resumed(piece: Passage, entry: Entry, reader: LineReader) -> list[SheetLine]:
    """Return the new order for a unit named first, or as "it": "scrap what I wrote for Paris, it holds"."""
    ends = sorted({*piece.breaks, *piece.stops, len(piece.keys)})
    for start in range(len(piece.keys) if len(piece.keys) <= LONGEST_CORRECTION else 0):
        if reader.cues.any(("negation", "condition"), piece.part(0, start).said):
            break
        names = reader.cues("pronouns").fullmatch(piece.keys[start]) or reader.kind_of(piece.keys[start])
        for end in (end for end in ends if end > start):
            words = piece.keys[start + bool(names) : end]
            if lines := _orders(piece, entry, words, reader):
                return lines
            before = piece.keys[max((stop for stop in ends if stop <= start), default=0) : start]
            if names and before and (lines := _orders(piece, entry, words, reader, before=" ".join(before))):
                return lines
    return []


def _redirected(piece: Passage, entry: Entry, reader: LineReader) -> list[SheetLine]:
    """Return the order with another goal, or site to build: "Spain should be Piedmont", "Piedmont instead of Spain"."""
    spots = {provinces: where for where, provinces in reader.places(piece) if len(piece.keys[where.start]) > 1}
    order, behind = entry.order, {where.stop for where in piece.find(reader.cues("instead"))}
    goal = order and (order.at if order.verb is Verb.BUILD else order.to)
    old = [places for places in spots if goal and goal.province in places]
    new = [places for places in spots if places not in old and order and unit_of(order) not in places]
    if not order or not old or len(new) != 1 or spots[new[0]].start in behind:
        return []
    there = [piece.keys[at] for at in spots[new[0]]]
    if order.verb is Verb.BUILD:
        tables = map(reader.cues, ("correction", "instead", "oops", "filler"))
        bare = piece.outside(spots.values()).without_phrases(*tables)
        known = (word for word in bare.keys if reader.is_article(word) or reader.cues("lead").fullmatch(word))
        strange = Counter(bare.keys) - Counter(word for word in known if not reader.kind_of(word))  # "..., a fleet"
        return reader.meant_by(piece, " ".join(["build", order.kind, *there])) if not strange else []
    return _orders(piece, entry, ["-", *there], reader)


def rerouted(before: Passage, goal: Passage, reader: LineReader, *, dashed: bool = False) -> list[SheetLine]:
    """Return the order of the same unit to another place, if words name nothing else: "A Par - Bur, no, Picardy".

    If a dash is before the place, the unit need not have moved before: "A Par S A Mar, no, - Picardy".
    """
    place = reader.place_at(goal, 0) if goal.words else None
    if place is None or place[0] < len(goal.keys):
        return []
    orders = [line.order for line in reader.orders(before)]
    moved = orders[0] if len(orders) == 1 and orders[0] and orders[0].to and not orders[0].of else None
    unit = moved or (reader.unit_begun(before) if dashed else None)
    return reader.meant_by(goal, f"{reader.unit_name(unit)} - {goal.said}") if unit else []


def _orders(piece: Passage, entry: Entry, words: list[str], reader: LineReader, before: str = "") -> list[SheetLine]:
    """Return the single order in the words after a unit's name, if it differs from the unit's order so far."""
    assert entry.order is not None
    lines = reader.meant_by(piece, " ".join([*before.split(), reader.unit_name(entry.order), *words]))
    order = lines[0].order if len(lines) == 1 else None
    stays = order is not None and order.to is not None and order.to == order.at
    if stays or not same_unit(order, entry.order) or action_of(order) == action_of(entry.order):
        return []
    return lines


def named_units(piece: Passage, reader: LineReader, entries: Sequence[Entry], *, goals: bool = False) -> list[Entry]:
    """Return the entries for units that words name; with `goals`, else those with a destination that they name."""
    known, begun, away = [entry for entry in entries if entry.order], reader.begins(piece), note_words("where")
    away = frozenset() if reader.kind is PhaseKind.ADJUSTMENTS else away  # "nothing in Moscow"
    starts = [at for at in begun if at == 0 or reader.kind_of(piece.keys[at]) or piece.keys[at - 1] not in {*away, "-"}]
    places = frozenset[str]().union(*(begun[at] for at in starts if not _is_other_goal(piece, at, reader)))
    found = [entry for entry in known if entry.order and unit_of(entry.order) in places]
    if not found and goals:
        ends = {
            at for where, named in reader.places(piece) for at in named
            if len(piece.keys[where.start]) > (1 if piece.is_large(where.start) else CODE)  # "con" is a word, too
        }  # fmt: skip
        found = [entry for entry in known if entry.order and entry.order.to and entry.order.to.province in ends]
    bare = (  # "the fleet", not "that old canoe"
        word for at, word in enumerate(piece.keys)
        if len(word) > 1 and not reader.place_at(piece, at + 1) and (not at or reader.is_article(piece.keys[at - 1]))
    )  # fmt: skip
    kinds = {kind for word in bare if (kind := reader.kind_of(word))}
    own = {unit.at.province for unit in reader.scene.own}
    if not found and not own & places and len(kinds) == 1:  # "the fleet"
        alike = [entry for entry in entries if (order := entry.order or entry.was) and order.kind in kinds]
        found = [entry for entry in alike if entry.order] if len(alike) == 1 else []
    return found


def _is_other_goal(piece: Passage, at: int, reader: LineReader) -> bool:
    """Return whether a place is the second of two to which a unit may go: "A Mos - Stp or Sev, your pick"."""
    place = reader.place_at(piece, at)
    ends = place is not None and (place[0] == len(piece.keys) or place[0] in piece.breaks | piece.stops)
    return ends and "-" in piece.keys[:at] and reader.cues("alternative").fullmatch(piece.keys[at - 1]) is not None


def concerned(piece: Passage, reader: LineReader, entries: Sequence[Entry], *, goals: bool) -> list[Entry]:
    """Return the entries for the units in the orders that words name; if they name none, for the units they name."""
    orders = [line.order for _, lines in reader.spans(piece) for line in lines]
    if orders:  # "If Austria attacks Tyrolia, A Ven - Tri instead" is not about Tyrolia
        return [entry for entry in entries if any(same_unit(entry.order, order) for order in orders)]
    return named_units(piece, reader, entries, goals=goals)


def numbered(entries: Sequence[Entry], text: str, cues: Cues) -> list[Entry]:
    """Return the entries that "line 2", "the second line" or "all of the above" mean.

    The last word of a language for an ordinal means the last entry.
    """
    known = [entry for entry in entries if entry.order or entry.was or entry.line.options]  # as they were written
    left = cues("filler").sub("", cues("line").sub("", cues("cancels").sub("", text))).split()
    numbers = [int(word) for word in left if word.isdecimal() and 0 < int(word) <= len(known)]
    if numbers and all(word.isdecimal() or word in note_words("join") for word in left):
        return [known[number - 1] for number in numbers]  # "Strike 2 and 3"
    if number := re.search(rf"(?:{cues('line').pattern}) (\d{{1,2}})\b", text):
        return known[int(number[1]) - 1 : int(number[1])]
    if ordinal := cues.has("ordinals", text):
        at, last = rank("ordinals", ordinal[0])
        return known[-1:] if last else known[at - 1 : at]
    above = cues.has("above", text)
    alone = above and not cues("line").match(text, above.end() + 1) and not cues("earlier").match(text, above.end() + 1)
    return known if alone else []  # not "Scrap that line"


def settle(
    entries: Sequence[Entry], headings: Headings, own: Mapping[str, Counter[str]], written: Mapping[int, str]
) -> None:
    """Drop what a later version of the orders replaces, and mark contradictory orders as doubtful.

    So are orders for units of others, or of nobody.  `own` counts each power's units by their places, `written` has the
    lines of the letter by their numbers.
    """
    cues = headings.cues
    for entry in entries:
        order = entry.order
        if order and order.at and order.verb in _OF_UNITS and order.at.province not in own.get(entry.part.power, ()):
            entry.doubt("no unit of this power is there")
    for power in {entry.part.power for entry in entries}:
        mine = [entry for entry in entries if entry.part.power == power]
        _settle_choice(mine, headings)
        _contradict(mine, cues, headings.phase)
        orders = [entry for entry in mine if entry.order]
        _settle_versions(orders, [entry for entry in mine if entry.part.heading == REVOKED])
        noticed = [at for at, entry in enumerate(entries) if entry.line.what == Why.NOTICE]  # no order is above it
        for entry in orders if noticed and not any(entry.order for entry in entries[noticed[-1] :]) else ():
            entry.drop(Why.DRAFT)
        _settle_sets(orders, own.get(power, Counter()))
        ordered, units = Counter(unit_of(e.order) for e in orders if e.order), Counter[object](own.get(power))
        many = [e for e in orders if e.order and ordered[unit_of(e.order)] > units[unit_of(e.order)]]
        _settle_conflicts(entries, many, cues, written)
        asked = {(entry.line.line, unit_of(order)) for entry in entries for order in entry.line.options}
        for entry in orders:
            if entry.order and (entry.line.line, unit_of(entry.order)) in asked:
                entry.doubt(Why.CHOICE)


def _settle_choice(entries: Sequence[Entry], headings: Headings) -> None:
    """Take the set of orders that words name by its heading, and drop the others: "Set two it is"."""
    labels = {label for entry in entries if len((label := _label(entry)).split()) == _LABEL}
    labels = {one for one in labels if any(one != two and one.split()[0] == two.split()[0] for two in labels)}
    chosen = ""
    for entry in entries if labels else ():
        text = key(entry.line.text)
        named = [label for label in labels if f" {label} " in f" {text} "]
        rest = text.replace(named[0], "") if len(named) == 1 and not (entry.order or entry.held) else ""
        clear = not (headings.cues.any(_UNDECIDED, rest) or headings.foreign(text) or "?" in rest)
        if clear and headings.cues.has("chooses", rest):
            chosen = named[0]
    for entry in entries if chosen else ():
        if _label(entry) == chosen and entry.held:
            entry.purpose, entry.line = Purpose.NOW, entry.held
        elif _label(entry) in labels - {chosen} and entry.order:
            entry.drop()


def _label(entry: Entry) -> str:
    """Return the words that distinguish the heading of an entry from others: "option b"."""
    return " ".join(key(entry.part.title).split()[:_LABEL])


def _contradict(entries: Sequence[Entry], cues: Cues, kind: PhaseKind) -> None:
    """Take orders below headings that are not understood if their units have others: one of them counts."""
    known: dict[object, set[object]] = {}
    for entry in entries:
        if entry.order:
            known.setdefault(unit_of(entry.order), set()).add(action_of(entry.order))
    for entry in entries:
        order, title = entry.held.order if entry.held else None, key(entry.part.title)
        others = known.get(unit_of(order), set()) if order else set()
        beside = entry.part.line == entry.line.line  # "That is not right: A Par H"
        apart = not beside and (cues("negation").match(title) or cues.has("idle", title))
        elsewhere = apart or cues.any(_ELSEWHERE, title)
        unknown = entry.part.heading.why == Why.UNKNOWN and not elsewhere
        unknown = unknown and order is not None and PHASES.get(order.verb, kind) is kind
        if entry.held and unknown and others and action_of(order) not in others:
            entry.purpose, entry.line = Purpose.NOW, entry.held


def _settle_versions(orders: list[Entry], revoked: list[Entry]) -> None:
    last = max((entry.version for entry in (*orders, *revoked)), default=0)
    units = {unit_of(entry.order) for entry in orders if entry.version == last and entry.order}
    for entry in orders:
        if entry.version < last and entry.order:
            entry.drop() if unit_of(entry.order) in units else entry.doubt("the version below leaves this out")


def _settle_sets(orders: list[Entry], own: Counter[str]) -> None:
    """Drop a few orders where a later heading has orders for every unit, and others for some of these."""
    sets: dict[int, dict[object, Entry]] = {}
    for entry in orders:
        if entry.order:
            sets.setdefault(id(entry.part), {})[unit_of(entry.order)] = entry
    parts = list(sets.values())
    for number, whole in enumerate(parts):
        for few in parts[:number] if own.keys() <= whole.keys() else ():
            smaller = few.keys() < whole.keys()
            if smaller and any(action_of(few[unit].order) != action_of(whole[unit].order) for unit in few):
                for entry in few.values():
                    entry.drop()


def _settle_conflicts(entries: Sequence[Entry], orders: list[Entry], cues: Cues, written: Mapping[int, str]) -> None:
    """Settle two orders for one unit in one line, or with other words or an empty line between them.

    The second counts if those words take something back; else both are doubtful.  After a semicolon an order counts
    as on a line of its own: the rulebook says which of two counts.
    """
    places = {id(entry): at for at, entry in enumerate(entries)}
    spoken = [key(entry.line.text) for entry in entries if entry.purpose in _SPOKEN]
    numbered = any(cues.has("ordinals", text) for text in spoken)  # "The second one counts"
    latest: dict[object, Entry] = {}
    for entry in orders:
        unit = unit_of(entry.order) if entry.order else None
        before = latest.get(unit)
        if before and entry.order and action_of(before.order) != action_of(entry.order):
            between = entries[places[id(before)] + 1 : places[id(entry)]]
            said = " ".join([key(entry.part.title), *(key(one.line.text) for one in between if one.purpose in _SPOKEN)])
            listed = before.part is entry.part and before.block == entry.block and said == key(entry.part.title)
            denied = any(cues("denies").fullmatch(key(one.line.text)) for one in between)  # "No! A Par H"
            back = cues.any(("oops", "cancels", "new", "draft"), said)
            back = back and not cues.any(("condition", "alternative", "doubt", "said"), cues("oops").sub("", said))
            end, start = before.line.column - 1 + len(before.line.text), entry.line.column - 1
            apart = before.line.line != entry.line.line or written[entry.line.line][end:start].strip() == ";"
            if denied or back:
                before.drop()
            elif numbered or not (listed and apart):
                before.doubt(Why.CHOICE)
                entry.doubt(Why.CHOICE)
        if unit is not None and entry.order:
            latest[unit] = entry
