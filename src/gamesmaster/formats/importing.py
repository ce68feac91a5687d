"""Other programs' files as variants: the form is recognised by what is in the file, and read as a stranger's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path, PurePath

from gamesmaster import strictjson
from gamesmaster.board import LARGEST_BOARD, fold
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.files import write_folder
from gamesmaster.formats import (
    dotmap,
    dvar,
    foreign,
    godip_facts,
    godip_games,
    jdip,
    jdip_games,
    judge_mails,
    saved_games,
    webdip_facts,
    webdip_games,
)
from gamesmaster.formats.draft import Draft
from gamesmaster.formats.form import Form, Source, brought_forms
from gamesmaster.formats.naming import clean_name, letters_of
from gamesmaster.formats.own_files import variant_files
from gamesmaster.formats.settle import settle
from gamesmaster.rules import BuildSites
from gamesmaster.unpacking import SIGNATURE, unzip
from gamesmaster.variant import VARIANT, Edition, Variant, read_edition, read_variant, variant_names

LONGEST_ID = 32
_MAPS = (".map", ".json", ".zip")
_MOST_ZIPPED = 400
"""Files of a zip."""
_BESIDE = re.compile(r"[^\W_][\w.+-]{0,100}")
FORMS = (
    dotmap.FORM, godip_facts.FORM, webdip_facts.FORM, dvar.FORM, jdip.FORM, foreign.FORM, saved_games.FORM,
    saved_games.LINES_FORM, godip_games.FORM, godip_games.DIPLICITY, webdip_games.FORM, jdip_games.FORM,
    judge_mails.FORM,
)  # fmt: skip
"""The forms of the package."""


def known_forms() -> tuple[Form, ...]:
    """Return the forms of the package, then those of other packages."""
    return (*FORMS, *brought_forms())


def form_of(source: Source) -> Form | None:
    """Return the form of a document, recognised by its content; raises `BadFile` for broken JSON or XML."""
    return next((form for form in known_forms() if form.fits(source)), None)


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


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant in a file of another program: its name, its id, and a function that imports it or raises `BadFile`."""

    name: str
    id: str
    load: Callable[[], Imported]


def import_variants(path: Path | str, only: str = "") -> tuple[Imported, ...]:
    """Return the variants in a file of another program: one, or all of a pack; with `only`, the one of that name.

    Raises what `variants_in` raises, `NotFound` for an unknown name, and `BadFile` for a fault in one of them.
    """
    offers = list(variants_in(path))
    if not offers:
        raise BadFile("no maps of another program are in it", where=str(path))
    wanted = [offer for offer in offers if not only or fold(only) in (fold(offer.name), fold(offer.id))]
    if not wanted:
        names = [offer.name for offer in offers]
        hint = nearest(only, names) or f"it has {', '.join(names)}"[:300]
        raise NotFound(f"no variant {only[:40]!r} is in {path}", hint=hint)
    return tuple(offer.load() for offer in wanted)


def variants_in(path: Path | str) -> Iterator[Offer]:
    """Yield the variants in a file of another program, each to be imported by itself.

    The form is recognised by the content; `FORMS` lists those that are known.  A pack may be a zip or a folder; a
    folder means the `variants.xml` in it, or else all maps and packs in it.  Files that a file names are read from
    the same folder only, and are bounded together.  Raises `NotFound` for a missing file, `BadFile` for another form
    or a fault, with its place.
    """
    for source in (source for one in packs_in(Path(path)) for source in _documents(one)):
        form = _form_of_file(source)
        if form is None or form.drafts is None:
            raise refusal(form, source)
        taken: set[str] = set()
        for draft in form.drafts(source):
            if isinstance(draft, Variant):
                yield Offer(draft.name, draft.id, partial(as_written, draft, form.id, source.where))
                continue
            name = _id_of(draft.name, taken)
            taken.add(name)
            yield Offer(clean_name(draft.name) or name, name, partial(_settled, draft, name, form.id))


def _settled(draft: Draft, name: str, form: str) -> Imported:
    return as_written(settle(draft, name), form, draft.where, draft)


def packs_in(path: Path) -> list[Path]:
    """Return the maps and packs in a folder without a `variants.xml`, folders of packs included; else the one file."""
    if not path.is_dir():
        return [path]
    pack = path / "variants.xml"
    found = [path] if pack.exists() else sorted(path.iterdir())
    inner = [one / "variants.xml" if one.is_dir() else one for one in found]
    packs = [one for one in inner if one.is_file() and (one.name == "variants.xml" or one.suffix in _MAPS)]
    return packs or [pack]


def _documents(path: Path) -> Iterator[Source]:
    """Yield the document of a file, or those of a zip: its `variants.xml`s, or else all that could be maps."""
    reader = _Beside(path.parent, _on_disk)
    data = reader.count(strictjson.read_bytes(path, limit=LARGEST_BOARD), str(path))
    if not data.startswith(SIGNATURE):
        yield Source(data, str(path), reader)
        return
    files = unzip(data, str(path), most=_MOST_ZIPPED)
    packs = [name for name in files if PurePath(name).name.casefold() == "variants.xml"]
    for name in packs or [name for name in files if PurePath(name).suffix in _MAPS]:
        yield Source(files[name], f"{path}, {name}", _Beside(PurePath(name).parent, lambda one, _: files.get(str(one))))


@dataclass(slots=True)
class _Beside:
    """Reads files of a folder by their names, up to a common limit in bytes.

    `get` returns the bytes of a file, given what is left of the limit; None for a file that is not there.
    """

    folder: PurePath
    get: Callable[[PurePath, int], bytes | None]
    left: int = LARGEST_BOARD

    def __call__(self, name: str) -> bytes:
        """Return the bytes of a file; raises `BadFile` for a name that leads elsewhere."""
        data = self.get(self.folder / name, self.left) if _BESIDE.fullmatch(name) else None
        if data is None:
            raise BadFile(
                f"no file {name[:80]!r} in the same folder: files elsewhere are not read", where=str(self.folder)
            )
        return self.count(data, name)

    def count(self, data: bytes, where: str) -> bytes:
        """Return the bytes of a file; raises `BadFile` for too many, together with those before."""
        self.left -= len(data)
        if self.left < 0:
            raise BadFile(f"larger than {LARGEST_BOARD:,} bytes, with what it uses", where=where)
        return data


def _on_disk(path: PurePath, most: int) -> bytes | None:
    real = Path(path)
    return strictjson.read_bytes(real, limit=most) if real.resolve().parent == real.parent.resolve() else None


def _form_of_file(source: Source) -> Form | None:
    """Return the form of a file; one of many JSON documents, each on a line, has that of the first."""
    try:
        return form_of(source)
    except BadFile:
        first = Source(source.data.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0])
        with suppress(BadFile):
            if first.data.rstrip().endswith(b"}") and (form := form_of(first)) and form.games:
                return form
        raise


_Kind = tuple[str, str]
"""What a file is, and what to do with it."""
_KEYS: tuple[tuple[set[str], _Kind], ...] = (
    ({"format", "provinces", "edges"}, ("a board of ours already", "gamesmaster variant new FOLDER --board FILE")),
    ({"nations", "provinces", "soloVictorySCCount"}, ("a draft of Diplicity's drawing tool", "export it as DVAR")),
    ({"provinces", "nations"}, ("a variant without borders, such as Diplicity keeps", "import its DVAR document")),
    ({"Units", "SupplyCenters"}, ("a phase of godip", "")),
)
_TAGS: dict[str, _Kind] = {
    "PROVINCES": ("the adjacency file of a jDip pack", "import the variants.xml that names it"),
    "svg": ("a drawing", ""),
}


def refusal(form: Form | None, source: Source, otherwise: str = "no form of file that is imported here") -> BadFile:
    """Return the error for a file of another form than expected, which says what the file is."""
    if form:
        said = f"this is {form.name.replace('`', '')}, {'a map' if form.drafts else 'no map'}"
        return BadFile(said, where=source.where, hint=f"gamesmaster import reads {form.id}")
    what, hint = _kind_of(source)
    said = f"this is {what}" if what else otherwise
    return BadFile(said, where=source.where, hint=hint or "gamesmaster formats lists what is imported")


def _kind_of(source: Source) -> _Kind:
    if source.mark == b"<":
        return _TAGS.get(source.tag, ("", ""))
    if source.mark in (b"{", b"["):
        keys = source.value.keys() if isinstance(source.value, dict) else set[str]()
        return next((kind for wanted, kind in _KEYS if wanted <= keys), ("", ""))
    names = r"^[^,\n]{1,60},\s*\w{1,3}\s+\w{3}\b"
    if re.search(r"^-1\s*$", source.text, re.MULTILINE) and re.search(names, source.text, re.MULTILINE):
        return "a map of njudge, which is not imported yet", ""
    return "", ""


def as_written(variant: Variant, form: str, source: str, draft: Draft | None = None) -> Imported:
    """Return the variant as it reads from the files that are written of it."""
    made = Imported(form, source, variant, draft.remarks if draft else ())
    edition = Edition(tuple(sorted(made.files().items())), source)
    return replace(made, variant=read_edition(edition))


def with_builds_anywhere(variant: Variant) -> Variant:
    """Return the variant with the rule that powers may build in any centre they own, and with files of its own."""
    if variant.build_sites is BuildSites.ANY_OWNED:
        return variant
    changed = replace(variant, id=f"{variant.family[:22]}_build_any", build_sites=BuildSites.ANY_OWNED, board_of="")
    return as_written(changed, "", "").variant


_ALSO = {
    "classical": "standard", "classic": "standard", "hundred": "hundredyears", "modern2": "modern",
    "ancientmediterranean": "ancmed", "theancientmediterranean": "ancmed", "standardfleetrome": "fleetrome",
    "standardfranceaustria": "franceaustria", "francevsaustria": "franceaustria", "classicfva": "franceaustria",
    "classicchaos": "chaos", "youngstownredux": "eurasia1901",
}  # fmt: skip
"""What other programs call variants of the package."""
_MOST_MAPS = 100
"""Files of a folder that are looked at for the board of a game."""
_MOST_SEARCHED = 8 * 2**20
"""Bytes of the files of all folders that are looked at."""


class Boards:
    """Finds variants by name: as `find` does, else among other programs' maps in folders.

    The maps of an installed PyPI `diplomacy` are looked at last.
    """

    def __init__(self, find: Callable[[str], Variant], folders: Iterable[Path] = ()) -> None:
        self.find, self.folders = find, tuple(dict.fromkeys(folders))

    def __call__(self, name: str) -> Variant:
        """Return the variant of this name; raises what `find` raises."""
        if "_others" in vars(self) and name in self._others:
            return self._others[name]
        also = _ALSO.get(fold(name), name)
        for one in dict.fromkeys((name, also)):
            try:
                return self.find(one)
            except NotFound as error:
                fault = error
        for folder in (*self.folders, _package_maps()):
            if found := _in_folder(folder, name):
                return found
        hint = f"a folder with its map, named {name[:40]}.map or the like, goes behind --boards"
        raise NotFound(fault.what, hint=hint)

    def others(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names of other variants that may be meant: maps in folders by any of `names`, then all."""
        wanted = {fold(name) for name in names}
        for key, variant in self._others.items():
            if wanted & {fold(variant.name), fold(variant.id), fold(key.partition(".")[0])}:
                yield key
        yield from (*variant_names(), *self._others)

    @cached_property
    def _others(self) -> dict[str, Variant]:
        """The maps in the folders, by their files and ids."""
        found: dict[str, Variant] = {}
        left = _MOST_SEARCHED
        for folder in filter(Path.is_dir, self.folders):
            files = (folder, *sorted(folder.iterdir()))
            for path in islice((one for one in files if one.suffix in _MAPS or one.is_dir()), _MOST_MAPS):
                left -= path.stat().st_size
                if left < 0:
                    return found
                found |= {f"{path.name[:40]} {variant.id}": variant for variant in _variants_at(path)}
        return found


def _variants_at(path: Path) -> tuple[Variant, ...]:
    """Return the variants in a file or folder, ours or of another program; none in one that is something else."""
    try:
        if (path / VARIANT).is_file():
            return (read_variant(path),)
        if path.is_dir() and not (path / "variants.xml").is_file():
            return ()
        return tuple(made.variant for made in import_variants(path))
    except GamesmasterError:
        return ()  # a game, or a broken map


def _in_folder(folder: Path | None, name: str) -> Variant | None:
    """Return the variant in the file of a folder that is called so up to its first full stop."""
    if folder is None or not folder.is_dir() or not fold(name):
        return None
    files = (path for path in sorted(folder.iterdir(), reverse=True) if path.suffix in _MAPS)
    named = (path for path in files if fold(path.name.partition(".")[0]) == fold(name))
    return next((variant for path in named for variant in _variants_at(path)), None)


def _package_maps() -> Path | None:
    """Return the folder of maps of an installed PyPI `diplomacy`."""
    spec = find_spec("diplomacy")
    return Path(spec.submodule_search_locations[0]) / "maps" if spec and spec.submodule_search_locations else None


def _id_of(name: str, taken: Iterable[str]) -> str:
    """Return an id made from a name, different from those taken and from the package's own."""
    words = [letters_of(word).casefold() for word in re.split(r"[\W_]+", name)]
    plain = "_".join(filter(None, words))[:LONGEST_ID].strip("_") or "game"
    known = {*taken, *variant_names()}
    return next(made for made in (plain, *(f"{plain[:28]}_{n}" for n in range(2, 1000))) if made not in known)
