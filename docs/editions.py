"""Keeps today's editions of the variants in the package, for the games that are begun under them.

    python docs/editions.py             puts those that are missing into src/gamesmaster/variants/editions
    python docs/editions.py FOLDER...   those of other folders of variants: of an older release, say

The folder only grows.  What is there under the digest of today is written anew if shapes or rules have changed since;
an edition of the past is never touched.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gamesmaster.variant import Edition, Variant, edition_of, read_variant
from gamesmaster.variant.editions import STORE, archive_name
from gamesmaster.variant.sources import shelf


def wanting(variants: Iterable[Variant], kept: Path) -> Iterator[tuple[Path, Edition]]:
    """The archives that are missing or no longer hold what the variants are, and what should be in them."""
    for variant in variants:
        path, edition = kept / archive_name(variant), edition_of(variant)
        if not path.exists() or Edition.unpack(path.read_bytes()) != edition:
            yield path, edition


def variants_in(folder: Path) -> Iterator[Variant]:
    """The variants in the folders of a folder."""
    for file in sorted(folder.glob("*/variant.toml")):
        yield read_variant(file.parent)


def main(folders: Mapping[Path, bool], kept: Path) -> None:
    """Write what is missing; of folders of the past only what is not there at all."""
    kept.mkdir(exist_ok=True)
    for folder, past in folders.items():
        for path, edition in wanting(variants_in(folder), kept):
            if not (past and path.exists()):
                path.write_bytes(edition.pack())
                print(path)


if __name__ == "__main__":
    main({shelf(): False} | {Path(argument): True for argument in sys.argv[1:]}, shelf() / STORE)
