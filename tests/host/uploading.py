"""Uploads for tests: variants as members send them, and hostile ones."""

from __future__ import annotations

import io
import re
import stat
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from gamesmaster.host.models import OwnVariant
from gamesmaster.host.variants import checking, uploads
from gamesmaster.host.variants.checking import Question, Report
from gamesmaster.unpacking import pack
from tests.host.conftest import NOW

STORMY = Path(__file__).parents[2] / "examples" / "stormy"
IMPORTS = Path(__file__).parents[1] / "data" / "imports"


def files(**changes: str) -> dict[str, bytes]:
    """The files of a small variant; `changes` are new texts, by names without their ends (`toml`, `board`...)."""
    found = {path.name: path.read_bytes() for path in STORMY.iterdir()}
    names = {"toml": "variant.toml", "board": "board.json", "shapes": "shapes.json", "rules": "RULES.md"}
    return {**found, **{names[key]: text.encode() for key, text in changes.items()}}


def text(name: str) -> str:
    """The text of one of these files."""
    return (STORMY / name).read_text()


def zipped(**changes: str) -> bytes:
    """A zip of the folder with these files."""
    return pack({f"stormy/{name}": content for name, content in files(**changes).items()})


def pack_files() -> dict[str, bytes]:
    """A pack of jDip with Strait, Narrows, and Void, which has no powers."""
    whole = (IMPORTS / "pack/variants.xml").read_text()
    begin, end = whole.index("  <VARIANT "), whole.index("</VARIANT>") + len("</VARIANT>")
    narrows = whole[begin:end].replace('name="Strait"', 'name="Narrows"')
    void = re.sub(r"<(POWER|INITIALSTATE|SUPPLYCENTER).*/>", "", narrows.replace("Narrows", "Void"))
    named = "strait_adjacency.xml"
    return {
        "variants.xml": (whole[:end] + narrows + void + whole[end:]).encode(),
        named: (IMPORTS / "pack" / named).read_bytes(),
    }


def bare_zip(entries: Mapping[str, bytes], mode: int = stat.S_IFREG | 0o644) -> bytes:
    """A zip with exactly these names, whatever they are, each with this mode."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo("x")
            entry.filename = entry.orig_filename = name
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()


def checked(question: Question, data: bytes) -> Report:
    """What a check finds, within this process and after few phases: that it runs elsewhere is tested apart."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as quick:
        quick.setattr(checking, "PHASES", 6)
        return checking._Check(question, Path(folder)).report(data)


def check_all() -> None:
    """Let the worker check what waits."""
    while uploads.check_next(0, NOW):
        pass


def passed(row: OwnVariant) -> OwnVariant:
    """The row after its check."""
    check_all()
    row.refresh_from_db()
    return row
