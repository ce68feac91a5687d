"""The variants that games of this site can be begun on, by name.

They are those of the package and those in the folder of `serve --variants`. Both are fixed while a process runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.pictures import shapes_of
from gamesmaster.variant import (
    VARIANT,
    Brief,
    Variant,
    edition_of,
    find_brief,
    full_name,
    is_packaged,
    lint_folder,
    read_brief,
    read_edition,
    read_variant,
    split_name,
    variant_names,
)
from gamesmaster.variant import find_variant as find_packaged


@cache
def operator_variants() -> Mapping[str, Variant]:
    """Return the variants in the operator's folder, by id.

    Raise `NotFound` if the folder is missing, and `BadFile` for a variant with errors, without a map, or with the id of
    a variant of the package.
    """
    if not settings.VARIANTS:
        return {}
    root = Path(settings.VARIANTS)
    if not root.is_dir():
        raise NotFound(f"no folder {root}", hint="--variants names a folder that holds the folders of variants")
    return MappingProxyType({variant.id: variant for variant in map(_checked, _folders(root))})


def _folders(root: Path) -> Iterator[Path]:
    yield from (file.parent for file in sorted(root.glob(f"*/{VARIANT}")))


def _checked(folder: Path) -> Variant:
    error = next((finding for finding in lint_folder(folder) if finding.level == "error"), None)
    if error:
        raise BadFile(error.text, where=error.where, hint=error.hint or f"gamesmaster variant lint {folder}")
    variant = read_variant(folder)
    if is_packaged(variant.id):
        what = f"{variant.id} is the id of a variant that comes with the program"
        raise BadFile(what, where=str(folder / VARIANT), hint="give the variant and its folder another id")
    shapes_of(variant, folder)
    return variant


def names() -> tuple[str, ...]:
    """Return the ids of all these variants, sorted."""
    return tuple(sorted({*variant_names(), *operator_variants()}))


def find_variant(name: str) -> Variant:
    """Return the present edition of a variant; options may follow its name in brackets. Raise `NotFound`."""
    family, chosen = split_name(name)
    own = operator_variants().get(family.casefold())
    if own is not None:
        return _with_options(own, full_name("", chosen))
    try:
        return find_packaged(name)
    except NotFound:
        if is_packaged(family):
            raise
        hint = nearest(family, names()) or f"known: {', '.join(names())}"
        raise NotFound(f"no variant {family[:80]!r}", hint=hint) from None


@lru_cache(maxsize=200)
def _with_options(variant: Variant, options: str) -> Variant:
    chosen = split_name(options)[1]
    return read_edition(edition_of(variant), chosen) if chosen else variant


def brief_of(variant: Variant) -> Brief:
    """Return the variant in brief; empty for one that has no such file."""
    if is_packaged(variant.family):
        return find_brief(variant.family)
    folder = variant.edition.where if variant.family in operator_variants() and variant.edition else ""
    return read_brief(Path(folder)) if folder else Brief()
