"""How many maps of other programs can be imported: `python tools/import_table.py FOLDER [PHASES]`.

FOLDER has a folder for each form, as `MAPS` names them.  Each file is imported in a fresh folder, linted, and played at
random; faults are printed with the file, then a table by form.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import Imported, import_variants
from gamesmaster.testing import check_variant
from gamesmaster.variant import lint_folder, read_variant

MAPS = {
    "pypi-map": "*.map",
    "dpjudge-map": "*.map",
    "godip-variants": "*.json",
    "webdip-variants": "*.json",
    "dvar": "*.dvar.json",
    "jdip": "*/variants.xml",
}
"""Folders, and the map files in them."""
STEPS = ("files", "imported", "lint clean", "played")


def main(root: Path, phases: int) -> None:
    """Print the table."""
    rows = {}
    for name, pattern in MAPS.items():
        found = Counter(dict.fromkeys(STEPS, 0))
        for path in sorted((root / name).glob(pattern)):
            found["files"] += 1
            begun = time.perf_counter()
            try:
                variants = import_variants(path)
            except GamesmasterError as fault:
                print(f"{path.name}: not imported: {fault}")
                continue
            found["imported"] += 1
            if (took := time.perf_counter() - begun) > 2:
                print(f"{path.name}: {took:.1f} s")
            faults = [said for one in variants for said in lint_faults(one)]
            for said in faults:
                print(f"{path.name}: {said}")
            found["lint clean"] += not faults
            problems = (
                [one for made in variants for one in check_variant(made.variant, phases=phases, seed=0)]
                if phases
                else []
            )
            for problem in problems[:2]:
                print(f"{path.name}: {problem[:600]}")
            found["played"] += not faults and not problems
        rows[name] = found
    for name, row in rows.items():
        print(f"{name:<18}", "  ".join(f"{step} {row[step]:>3}" for step in STEPS))


def lint_faults(made: Imported) -> list[str]:
    """Write the variant to a folder of its own, and return the errors that the linter finds."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / made.variant.id
        made.write(folder)
        read_variant(folder)
        return [str(finding) for finding in lint_folder(folder) if finding.level == "error"]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60)
