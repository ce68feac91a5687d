"""Other programs' maps as variants: the form is recognised by what is in the file, and read as a stranger's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.board import LARGEST_BOARD
from gamesmaster.errors import BadFile
from gamesmaster.files import decode, write_folder
from gamesmaster.formats.dotmap import map_draft
from gamesmaster.formats.draft import Draft
from gamesmaster.formats.dvar import dvar_draft
from gamesmaster.formats.foreign import NEUTRAL, read_foreign
from gamesmaster.formats.godip_facts import godip_draft
from gamesmaster.formats.jdip import jdip_drafts, parse
from gamesmaster.formats.naming import letters_of
from gamesmaster.formats.own_files import variant_files
from gamesmaster.formats.settle import settle
from gamesmaster.formats.webdip_facts import webdip_draft
from gamesmaster.mechanics import StandingArmies
from gamesmaster.variant import Edition, Variant, read_edition, variant_names

DEEPEST_FILE = 16
"""Levels of nesting of a file in JSON."""
LONGEST_ID = 32
_BESIDE = re.compile(r"[^\W_][\w.+-]{0,100}")
_MAP_LINE = re.compile(
    r"^\s*(?:(?:LAND|COAST|WATER|PORT|SHUT|AMEND)\s+\S+\s+ABUTS\b|(?:USE|MAP)\s+\S+\s*$)",
    re.MULTILINE | re.IGNORECASE,
)
_GODIP_LINE = re.compile(r"^PHASE\s+-?\d+\s+\w+\s+\w+\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of file that is imported: what such files are called, and which of their contents are carried over."""

    id: str
    name: str
    files: str
    carried: str
    derived: str
    lost: str


FORMS = (
    Form(
        "dotmap", "maps of PyPI diplomacy and DPjudge", "*.map",
        "places, borders by case, coasts, USE, AMEND, DROP, renaming, powers, homes, owners, units, BEGIN, FLOW, "
        "VICTORY, borders for some powers, one-way borders",
        "weak borders halve attacks; borders for owners of centres; DUMMY powers are standing armies; BUILD_ANY, "
        "HOME_BUILDS, REMOTE_BUILDS",
        "LEAGUE, directives, partisans, later victory numbers",
    ),
    Form(
        "godip-facts", "variants of godip as facts", "*.json",
        "places, flags, borders, one-way borders, islands that convoy, homes, owners, units, start, centres that win",
        "builds anywhere and neutral armies, from the names of the code",
        "other code, rules in words, colours",
    ),
    Form(
        "webdip-facts", "variants of webDiplomacy and vDiplomacy as facts", "*.json",
        "territories, coasts, both kinds of border, homes, units, neutral units, centres that win",
        "ids from names; the calendar from the dates; builds anywhere from the classes that are changed",
        "rules changed by code, limited sight, rules in words",
    ),
    Form(
        "dvar", "DVAR documents of Diplicity", "*.json",
        "everything of schemaVersion 1 but what is lost",
        "the calendar from the transitions; nations that nobody plays are neutral armies",
        "timed and other victories, dominance rules, colours, rules in words",
    ),
    Form(
        "jdip", "packs of jDip", "variants.xml, its adjacency files beside it",
        "each variant: places, coasts, borders, convoyable coasts, homes, owners, units, start, centres that win",
        "builds in any owned centre from the rule options",
        "wings, borders that change by season, ends by years",
    ),
    Form(
        "adjacency", "adjacency lists", "*.json",
        "powers, seasons, start, centres that win, builds, provinces, borders, one-way borders",
        "the calendar from the seasons",
        "everything else in the file",
    ),
)  # fmt: skip
"""The forms that are imported."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A variant from another program's file, with remarks on what was left out, mended or derived."""

    form: str
    source: str
    variant: Variant
    remarks: tuple[str, ...] = ()

    def files(self, name: str = "") -> dict[str, str]:
        """Return the texts of the files of a variant's folder; `name` is the id, by default that of the variant."""
        comments = (f"Imported from {Path(self.source).name} ({self.form}).", *self.remarks)
        return variant_files(replace(self.variant, id=name or self.variant.id), comments)

    def write(self, folder: Path | str) -> None:
        """Write the variant's folder.  The folder's name becomes the id, where it can be one."""
        folder = Path(folder)
        texts = self.files(folder.resolve().name if is_id(folder.resolve().name) else "")
        write_folder(folder, {name: text.encode() for name, text in texts.items()})


def is_id(name: str) -> bool:
    """Return whether a name can be the id of a variant."""
    return re.fullmatch(r"[a-z0-9][a-z0-9_]{0,31}", name) is not None


def import_variants(path: Path | str) -> tuple[Imported, ...]:
    """Return the variants in a file of another program: one, or all of a pack.

    The form is recognised by the content; `FORMS` lists those that are known.  A folder means the `variants.xml` in
    it.  Files that this one names are read from the same folder only, and are bounded together.  Raises `NotFound`
    for a missing file, `BadFile` for another form or a fault, with its place.
    """
    path = Path(path)
    path = path / "variants.xml" if path.is_dir() else path
    reader = _Bounded(path)
    data, where = reader.read(path), str(path)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return tuple(_settled(_of_xml(data, where, reader.beside)))
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _of_json(data, path)
    text = decode(data)
    if _MAP_LINE.search(text):
        return tuple(_settled([map_draft(data, where, reader.beside)]))
    raise _refusal(_kind_of_text(text), where)


class _Bounded:
    """Reads a file and others of its folder that it names, up to a common limit in bytes."""

    def __init__(self, path: Path) -> None:
        self.folder, self.left = path.parent, LARGEST_BOARD

    def read(self, path: Path) -> bytes:
        data = strictjson.read_bytes(path, limit=self.left)
        if len(data) > self.left:
            raise BadFile(f"larger than {LARGEST_BOARD:,} bytes, with what it uses", where=str(path))
        self.left -= len(data)
        return data

    def beside(self, name: str) -> bytes:
        """Return the bytes of another file of the folder; raises `BadFile` for a name that leads elsewhere."""
        path = self.folder / name
        if not _BESIDE.fullmatch(name) or path.resolve().parent != self.folder.resolve():
            raise BadFile(f"only files of the same folder are read, not {name[:80]!r}", where=str(self.folder))
        return self.read(path)


def _of_xml(data: bytes, where: str, beside: Callable[[str], bytes]) -> Iterable[Draft]:
    root = parse(data, where).tag.rpartition("}")[2]
    if root == "VARIANTS":
        return jdip_drafts(data, where, beside)
    kinds = {
        "PROVINCES": ("the adjacency file of a jDip pack", "import the variants.xml that names it"),
        "svg": ("a drawing", "gamesmaster formats lists what is imported"),
    }
    raise _refusal(kinds.get(root, ("", "")), where)


_JSON_FORMS: dict[str, Callable[[object, str], Draft]] = {
    "godip-facts": godip_draft,
    "webdip-facts": webdip_draft,
    "dvar": dvar_draft,
}


def _of_json(data: bytes, path: Path) -> tuple[Imported, ...]:
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0]
    try:
        value = strictjson.loads(data, limit=LARGEST_BOARD, depth=DEEPEST_FILE, where=str(path))
    except BadFile:
        if not (b'"phases"' in first and first.rstrip().endswith(b"}")):
            raise
        raise _refusal(_SAVED_GAMES, str(path)) from None
    form = _json_form(value)
    if form == "adjacency":
        return (_of_adjacency(path),)
    if form not in _JSON_FORMS:
        raise _refusal(_kind_of_json(value), str(path))
    return tuple(_settled([_JSON_FORMS[form](value, str(path))]))


def _json_form(value: object) -> str:
    """Return the id of the form of a value from JSON, "" if it has none of them."""
    if not isinstance(value, dict):
        return ""
    said = value.get("form")
    for form in ("godip-facts", "webdip-facts"):
        if isinstance(said, str) and said.startswith(form):
            return form
    if "schemaVersion" in value and "provinces" in value:
        return "dvar"
    return "adjacency" if {"army", "fleet", "provinces"} <= value.keys() else ""


_SAVED_GAMES = ("saved games of PyPI diplomacy, no map", "gamesmaster replay reads them")
_Kind = tuple[str, str]
"""What a file is, and what to do with it."""


def _kind_of_json(value: object) -> _Kind:
    keys = value.keys() if isinstance(value, dict) else set[str]()
    kinds: tuple[tuple[set[str], _Kind], ...] = (
        ({"phases"}, _SAVED_GAMES),
        ({"format", "provinces", "edges"}, ("a board of ours already", "gamesmaster variant new FOLDER --board FILE")),
        ({"nations", "provinces", "soloVictorySCCount"}, ("a draft of Diplicity's drawing tool", "export it as DVAR")),
        ({"provinces", "nations"}, ("a variant without borders, such as Diplicity keeps", "import its DVAR document")),
        ({"Units", "SupplyCenters"}, ("a phase of godip, no map", "")),
    )
    return next((kind for wanted, kind in kinds if wanted <= keys), ("", ""))


def _kind_of_text(text: str) -> _Kind:
    if _GODIP_LINE.search(text):
        return "a recorded game of godip, no map", ""
    if re.search(r"^-1\s*$", text, re.MULTILINE) and re.search(
        r"^[^,\n]{1,60},\s*\w{1,3}\s+\w{3}\b", text, re.MULTILINE
    ):
        return "a map of njudge, which is not imported yet", ""
    return "", ""


def _refusal(kind: _Kind, where: str) -> BadFile:
    what, hint = kind
    said = f"this is {what}" if what else "no form of file that is imported here"
    return BadFile(said, where=where, hint=hint or "gamesmaster formats lists what is imported")


def _of_adjacency(path: Path) -> Imported:
    variant = read_foreign(path)
    idle = tuple(f"{unit.kind} {unit.at}" for unit in variant.start.of(NEUTRAL))
    mechanics = (StandingArmies(idle, NEUTRAL),) if idle else ()
    return _checked("adjacency", str(path), replace(variant, mechanics=mechanics), ())


def _settled(drafts: Iterable[Draft]) -> Iterator[Imported]:
    taken: set[str] = set()
    for draft in drafts:
        name = _id_of(draft.name, taken)
        taken.add(name)
        variant = settle(draft, name)
        yield _checked(draft.form, draft.where, variant, draft.remarks)


def _checked(form: str, source: str, variant: Variant, remarks: tuple[str, ...]) -> Imported:
    """Return the variant as it reads from the files that are written of it."""
    made = Imported(form, source, variant, remarks)
    edition = Edition(tuple(sorted(made.files().items())), source)
    return replace(made, variant=read_edition(edition))


def _id_of(name: str, taken: Iterable[str]) -> str:
    """Return an id that a name comes to, different from those taken and from the package's own."""
    words = [letters_of(word).casefold() for word in re.split(r"[\W_]+", name)]
    plain = "_".join(filter(None, words))[:LONGEST_ID].strip("_") or "game"
    known = {*taken, *variant_names()}
    return next(made for made in (plain, *(f"{plain[:28]}_{n}" for n in range(2, 1000))) if made not in known)
