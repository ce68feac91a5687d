"""Hostile uploads are refused with a reason; none runs code, names a path or reaches another's data."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster import unpacking
from gamesmaster.host.models import KeptEdition, OwnVariant
from gamesmaster.host.variants import checking, uploads
from gamesmaster.host.variants.checking import Question
from gamesmaster.unpacking import pack
from tests.host.conftest import person
from tests.host.uploading import IMPORTS, STORMY, bare_zip, checked, files, passed, text, zipped

KEY = "abcdefghjk"
TOML, BOARD, SHAPES = text("variant.toml"), text("board.json"), text("shapes.json")


def folder(**changes: str) -> dict[str, bytes]:
    """The files of a variant in a folder of a zip, with these changed."""
    return {f"stormy/{name}": content for name, content in files(**changes).items()}


def board(**changes: object) -> str:
    """The board of the variant with other values for the first province."""
    data = json.loads(BOARD)
    data["provinces"][0] |= changes
    return json.dumps(data)


def lying(size: int) -> bytes:
    """A zip whose directory says that a file of a megabyte has this size."""
    made = bytearray(bare_zip({"variant.toml": b"#" * 2**20}))
    at = made.rindex(b"PK\x01\x02")
    made[at + 24 : at + 28] = size.to_bytes(4, "little")
    made[22:26] = size.to_bytes(4, "little")
    return bytes(made)


def packed_by(method: int) -> bytes:
    """A zip that is packed by another method."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("variant.toml", TOML)
    return made.getvalue()


def encrypted() -> bytes:
    """A zip that says that its file is encrypted."""
    made = bytearray(bare_zip({"variant.toml": TOML.encode()}))
    made[made.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(made)


LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
) + "]><VARIANTS>&i;</VARIANTS>"  # fmt: skip
OUTSIDE = '<!DOCTYPE v [<!ENTITY x SYSTEM "file:///etc/passwd">]><VARIANTS><VARIANT name="&x;"/></VARIANTS>'
PACK = '<VARIANTS><VARIANT name="x"><MAP adjacencyURI="../../etc/passwd"/></VARIANT></VARIANTS>'
DEEP = "[" * 60_000 + "]" * 60_000
HOSTILE: Mapping[str, tuple[str, bytes | dict[str, bytes]]] = {
    "a zip bomb": ("unpacked", bare_zip({"board.json": b"\0" * (unpacking.LARGEST_WHOLE + 1)})),
    "a zip bomb that lies": ("size|read", lying(10)),
    "a zip in a zip": ("no form of file", bare_zip({"inner.zip": zipped()})),
    "a path upward": ("cannot be called", bare_zip({**folder(), "stormy/../../evil.py": b"x"})),
    "an absolute path": ("cannot be called", bare_zip({"/etc/cron.d/evil": b"x"})),
    "a path of Windows": ("cannot be called", bare_zip({"C:\\evil\\variant.toml": TOML.encode()})),
    "a device": ("cannot be called", bare_zip({"stormy/CON.toml": b"x"})),
    "a name with a NUL": ("cannot be called", bare_zip({"variant.toml\0.png": TOML.encode()})),
    "a link": ("is a link", bare_zip({"variant.toml": b"/etc/passwd"}, stat.S_IFLNK | 0o777)),
    "a fifo": ("is a link", bare_zip({"variant.toml": b""}, stat.S_IFIFO | 0o644)),
    "a name twice": ("twice", bare_zip({"variant.toml": b"", "VARIANT.TOML": b""})),
    "too many files": ("more than", bare_zip({f"f{n}.txt": b"" for n in range(2000)})),
    "deep folders": ("cannot be called", bare_zip({"a/" * 200 + "variant.toml": b""})),
    "an encrypted zip": ("encrypted", encrypted()),
    "an unusual method": ("unusual way", packed_by(zipfile.ZIP_LZMA)),
    "half a zip": ("not a zip", zipped()[:3000]),
    "a huge integer": ("longer|not TOML", folder(toml=TOML.replace("format = 1", f"format = {'9' * 5000}"))),
    "a number too large for a mechanic": (
        "too large",
        folder(toml=TOML + '\n[[mechanics]]\nname = "taboo"\nprovinces = ["ASH"]\nyears = 99999999999999\n'),
    ),
    "an infinite number": ("number", folder(board=BOARD.replace('"format": 1', '"format": 1e999'))),
    "deep JSON": ("deeper|deep", folder(board=DEEP)),
    "deep TOML": ("not known|deep", folder(toml="x = " + "[" * 200 + "]" * 200 + "\n" + TOML)),
    "deep keys": ("longer", folder(toml="a." * 20_000 + "b = 1\n" + TOML)),
    "a mechanic that is a module": ("no mechanic", folder(toml=TOML + '\n[[mechanics]]\nname = "os:system"\n')),
    "a mechanic that is a file": ("no mechanic", folder(toml=TOML + '\n[[mechanics]]\nname = "../evil.py:Evil"\n')),
    "a base that is a path": ("based_on", {"variant.toml": b'based_on = "../../etc"\n' + TOML.encode()}),
    "a board that is a path": ("board", folder(toml='board = "/etc/passwd"\n' + TOML)),
    "laughing entities": ("entities", {"variants.xml": LAUGHS.encode()}),
    "an outside entity": ("entities", {"variants.xml": OUTSIDE.encode()}),
    "a pack that names a path": ("same folder|not read", {"variants.xml": PACK.encode()}),
    "deep XML": ("no form of file", {"variants.xml": b"<a>" * 50_000 + b"</a>" * 50_000}),
    "a drawing with a script": ("drawing", {"map.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"}),
    "points beyond number": ("NaN|number|JSON", folder(shapes=SHAPES.replace("[", "[NaN,", 1))),
    "a place with markup": ("printable|pattern|match", folder(board=board(id="<script>"))),
    "a name that turns the line": ("invisible|control", folder(board=board(name="Ash\u202egnp.exe"))),
    "the name of a built-in variant": ("comes with the program", folder(toml=TOML.replace('"stormy"', '"standard"'))),
    "rules that are not UTF-8": ("UTF-8", {**folder(), "stormy/RULES.md": "# Stürme".encode("latin-1")}),
    "a file in UTF-16": ("TOML|UTF", {**folder(), "stormy/variant.toml": TOML.encode("utf-16")}),
    "half a character": ("surrogate", folder(board=BOARD.replace('"name": "', '"name": "\\ud800', 1))),
    "a pickle": ("no variant.toml|form", {"variant.pickle": b"\x80\x04cos\nsystem\n(S'true'\ntR."}),
    "nothing": ("no variant.toml|form", {"empty.txt": b""}),
}
"""What is wrong with each, and the upload: the files of a zip, or the zip itself."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_uploads_are_refused(name: str) -> None:
    """Each is refused with a reason that fits, and without a path of this machine."""
    wanted, given = HOSTILE[name]
    data = pack(given) if isinstance(given, dict) else given
    report = checked(Question("hostile.zip", KEY), data)
    assert not report.passed
    assert not report.archive
    said = json.dumps([[one.where, one.text, one.hint] for one in report.findings if one.level == "error"])
    assert any(word in said for word in wanted.split("|")), said
    assert "/tmp" not in said
    assert "root:" not in said


@pytest.mark.django_db
def test_markup_in_names_and_rules_stays_text(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like markup is shown as text, on maps and pages; a link cannot carry a script."""
    monkeypatch.setattr(checking, "ask", checked)
    ann = person("ann")
    client.force_login(ann)
    nasty = "<script>alert(1)</script>"
    rules = text("RULES.md").replace(
        "\n\n", f"\n\n{nasty} [x](javascript:alert(1)) ![y](http://evil.example/y.png)\n\n", 1
    )
    toml = TOML.replace("Stormy Isle", f"Stormy {nasty}")
    row = passed(uploads.upload(ann, {"x.zip": zipped(toml=toml, rules=rules, board=board(name=f"Ash {nasty}"))}))
    assert row.digest, row.findings
    for address in ("", "rules/", "map.svg"):
        page = client.get(f"/variants/{row.name}/{address}")
        assert page.status_code == 200
        assert "<script>alert" not in page.content.decode()
        assert 'href="javascript:' not in page.content.decode()


def test_a_check_is_bounded(tmp_path: Path) -> None:
    """The process of a check has no more time, memory and files than it may have, and what exceeds them is refused."""
    for constant, small, act in (
        ("PROCESSOR_SECONDS", 1, "while True: pass"),
        ("MEMORY", 2**28, "x = bytearray(2**29)"),
        ("LARGEST_FILE", 2**10, "open('x', 'wb').write(bytes(2**20))"),
    ):
        program = f"from gamesmaster.host.variants import checking as c; c.{constant} = {small}; c._bind(); {act}"
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, timeout=30, check=False, cwd=tmp_path
        )
        assert done.returncode, constant


def test_a_check_runs_elsewhere_and_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check is a process of its own, without the environment of the site, and one that takes too long is ended."""
    monkeypatch.setenv("GAMESMASTER_SECRET", "s" * 64)
    seen: dict[str, str] = {}
    run = subprocess.run

    def noted(*given: object, env: dict[str, str], **named: object) -> object:
        seen.update(env)
        return run(*given, env=env, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", noted)
    report = checking.ask(Question("stormy.zip", KEY), zipped())
    assert report.passed, report.findings
    assert report.name == f"stormy_{KEY}"
    assert not any(name.startswith("GAMESMASTER") for name in seen)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, b"{}", b""))
    assert checking.ask(Question("stormy.zip", KEY), b"").findings[0].text == checking.BROKEN
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    assert checking.ask(Question("stormy.zip", KEY), zipped()).findings[0].text == checking.TOO_MUCH


def test_maps_of_other_programs_are_imported_and_drawn() -> None:
    """Any form that is imported makes a variant with a map."""
    pytest.importorskip("shapely")
    pytest.importorskip("networkx")
    report = checked(Question("strait.dvar.json", KEY), (IMPORTS / "strait.dvar.json").read_bytes())
    assert report.passed, report.findings


@pytest.mark.django_db
def test_nothing_is_kept_of_a_refused_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an edition nor the upload stays, and a later page of the variant is one of no variant."""
    monkeypatch.setattr(checking, "ask", checked)
    ann: User = person("ann")
    row = passed(uploads.upload(ann, {"x.zip": bare_zip({"/etc/passwd": b"x"})}))
    assert (bytes(row.upload), row.digest, KeptEdition.objects.count()) == (b"", "", 0)
    assert OwnVariant.objects.get().findings
    assert STORMY.is_dir()
