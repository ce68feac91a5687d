"""`rules`: a variant's rulebook, clause by clause; `rulebook` and `house-rules`: choices and presets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import VariantName, open_game, read_choices
from gamesmaster.cli.console import AsJson, say, say_json, show_page, table
from gamesmaster.errors import NotFound, nearest

if TYPE_CHECKING:
    from gamesmaster.variant import Clause, HouseRules, RulesText, Section


def rules(
    variant: VariantName,
    clause: Annotated[
        str, typer.Argument(metavar="[CLAUSE]", help="A clause (IND-6.c), the beginning of several, or a section.")
    ] = "",
    search: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="Only clauses that contain all these words.")
    ] = "",
    whole: Annotated[bool, typer.Option("--all", help="The whole rulebook.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the rules of a variant: what it is and what its rulebook holds, or the clauses that you name.

    For example:

      gamesmaster rules standard
      gamesmaster rules indianomacy IND-6.c
      gamesmaster rules indianomacy orders
      gamesmaster rules scottomacy --search "boat inland"
    """
    book = _rulebook(variant)
    if not (clause or search or whole):
        _contents(variant, book, as_json=as_json)
        return
    whole = whole and not (clause or search)
    picked = _pick(book, clause)
    chosen = {found.id for found in (_search(book, picked, search) if search else picked)}
    named = book.section(clause) if clause else None
    shown = [s for s in book.sections if whole or s is named or any(one.id in chosen for one in s.clauses)]
    if as_json:
        say_json({"title": book.title, "sections": [_data(part, chosen) for part in shown]})
        return
    _show(book.title, book.intro if whole else "", shown, chosen)


def _rulebook(text: str) -> RulesText:
    """Return the rulebook that a user means: a name of the package's, a folder, or a page."""
    from gamesmaster.variant import find_rules_text, read_rules_text

    path = Path(text)
    return read_rules_text(path) if path.is_dir() or path.suffix == ".md" else find_rules_text(text)


def _pick(book: RulesText, clause: str) -> tuple[Clause, ...]:
    if not clause:
        return book.clauses
    try:
        return book.pick(clause)
    except NotFound as error:
        raise NotFound(error.what, hint=_elsewhere(clause, book) or error.hint) from None


def _elsewhere(clause: str, book: RulesText) -> str:
    """Return a reference to another rulebook of the package that has this clause, "" if none has it."""
    from gamesmaster.variant import find_rules_text, rules_text_names

    if clause.partition("-")[0].upper() in book.families:
        return ""
    wanted = clause.strip().casefold()
    for name in rules_text_names():
        for other in find_rules_text(name).clauses:
            if other.id.casefold() == wanted:
                return f"see gamesmaster rules {name} {other.id}"
    return ""


def _search(book: RulesText, clauses: tuple[Clause, ...], text: str) -> tuple[Clause, ...]:
    matches = tuple(clause for clause in clauses if clause.has(text))
    if not matches:
        known = {word.strip(".,:;()`\"'") for clause in book.clauses for word in clause.text.split()}
        hint = nearest(text, known) if text.casefold() not in map(str.casefold, known) else ""
        raise NotFound(f"no clause of {book.title} has {text[:60]!r}", hint=hint)
    return matches


# -- printing rules --------------------------------------------------------------------------------------------------


def _contents(variant: str, book: RulesText, *, as_json: bool) -> None:
    if as_json:
        sections = [
            {"number": s.number, "title": s.title, "clauses": [clause.id for clause in s.clauses]}
            for s in book.sections
        ]
        say_json({"title": book.title, "brief": book.brief, "introduction": book.intro, "sections": sections})
        return
    show_page(f"# {book.title}\n\n{book.brief}\n")
    say()
    table(("", "section", "clauses"), [(s.number, s.title, _span(s)) for s in book.sections])
    say()
    example = book.clauses[0].id if book.clauses else book.sections[0].title if book.sections else "--all"
    say(f"To read on: gamesmaster rules {variant} {example}, or the number or title of a section, or --all.")


def _span(section: Section) -> str:
    """Return the first and the last clause of a section."""
    ids = [clause.id for clause in section.clauses]
    return ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}" if ids else ""


def _show(title: str, intro: str, sections: list[Section], chosen: set[str]) -> None:
    parts = [f"# {title}", intro]
    for section in sections:
        parts.append(f"## {section.heading}")
        if _is_whole(section, chosen):
            parts.append(section.text)
            continue
        parts += [_item(clause) for clause in section.clauses if clause.id in chosen]
    show_page("\n\n".join(filter(None, parts)))


def _item(clause: Clause) -> str:
    """Return a clause as its page shows it: everything after its first paragraph is indented."""
    return f"- **{clause.id}** " + "\n".join(f"  {line}" if line else "" for line in clause.text.splitlines()).lstrip()


def _is_whole(section: Section, chosen: set[str]) -> bool:
    """Return whether all clauses of a section are chosen; then the text around them is shown as well.

    A section of a single clause does not need that text.
    """
    return all(clause.id in chosen for clause in section.clauses) and len(section.clauses) != 1


def _data(section: Section, chosen: set[str]) -> dict[str, object]:
    data: dict[str, object] = {"number": section.number, "title": section.title}
    if _is_whole(section, chosen):
        data["text"] = section.text
    clauses = [{"id": c.id, "text": c.text} for c in section.clauses if c.id in chosen]
    return data | {"clauses": clauses}


# -- `rulebook` and `house-rules` ------------------------------------------------------------------------------------


def rulebook(
    choices: Annotated[
        str, typer.Argument(metavar="[CHOICES]", help="A preset, choices, or both; as --rulebook takes them.")
    ] = "datc",
    as_json: AsJson = False,
) -> None:
    """List every choice that the rules leave open, with its answers; the one chosen is in brackets.

    For example:

      gamesmaster rulebook
      gamesmaster rulebook 1971
      gamesmaster rulebook 2000,4.A.2=f
    """
    from dataclasses import fields

    from gamesmaster.rules import PRESETS, Rulebook

    book = Rulebook.of(read_choices(choices))
    rows = [(f.metadata["issue"], f.name, f.metadata["question"], f.metadata["answers"]) for f in fields(book)]
    if as_json:
        say_json(
            {
                "presets": list(PRESETS),
                "choices": [
                    {"issue": i, "name": n, "question": q, "answers": list(a), "chosen": getattr(book, n)}
                    for i, n, q, a in rows
                ],
            }
        )
        return
    shown = [
        (issue, name, " ".join(f"[{word}]" if word == getattr(book, name) else word for word in answers))
        for issue, name, _, answers in rows
    ]
    table(("DATC", "choice", "answers"), shown)
    say(f"Presets: {', '.join(PRESETS)}")


def house_rules(
    choices: Annotated[
        str, typer.Argument(metavar="[CHOICES]", help="A preset, settings, or both; as --house-rules takes them.")
    ] = "standard",
    game: Annotated[
        Path | None, typer.Option("--game", metavar="FILE", help="The rules of this game, as sentences.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every house rule with its answers, the one chosen in brackets; or print the house rules of a game.

    For example:

      gamesmaster house-rules
      gamesmaster house-rules postal-1972,late_orders=strict
      gamesmaster house-rules --game winter.json
    """
    from gamesmaster.variant import HOUSE_RULE_PRESETS, HouseRules, house_rule_settings

    house = open_game(game).house_rules if game else HouseRules.of(read_choices(choices))
    if as_json:
        answers = [
            {"clause": s.clause, "name": name, "question": s.question, "answers": dict(s.answers),
             "most": s.most or None, "host": s.host, "chosen": getattr(house, name), "says": house.sentence(name)}
            for name, s in house_rule_settings().items()
        ]  # fmt: skip
        say_json({"presets": list(HOUSE_RULE_PRESETS), "house_rules": str(house), "settings": answers})
        return
    if game:
        say(f"House rules: {house}\n")
        for name, setting in house_rule_settings().items():
            say(f"{setting.question} [{setting.clause}]\n  {house.sentence(name)}")
        return
    for title, host in (("Carried out by the program", False), ("For the Gamesmaster", True)):
        say(f"{title}:")
        rows = [(s.clause, name, _answers(house, name)) for name, s in house_rule_settings().items() if s.host is host]
        table(("clause", "setting", "answers"), rows)
        say()
    say(f"Presets: {', '.join(HOUSE_RULE_PRESETS)}")


def _answers(house: HouseRules, name: str) -> str:
    """Return the answers of a setting, the current one in brackets; for a number, the range allowed."""
    from gamesmaster.variant import house_rule_settings

    setting, chosen = house_rule_settings()[name], getattr(house, name)
    if setting.most:
        return f"[{chosen}] from {setting.least} to {setting.most}"
    return " ".join(f"[{word}]" if word == chosen else word for word in setting.answers)
