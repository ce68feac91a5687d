"""A database of a site that is migrated once for all tests of a run, and copied by each that begins with a new one."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.patience import await_that

SHARED = "GAMESMASTER_TEST_SHARED"
"""Names the folder that all workers of a run share."""
HIDDEN = ("GAMESMASTER_", "DJANGO_")
MIGRATE = (
    "from gamesmaster.host.apps import boot; boot(); from gamesmaster.host.operations.serving import migrate; migrate()"
)


def share_folder() -> None:
    """Make the folder that is shared, unless the process that began this one has done so."""
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="gamesmaster-shared-")
        atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)


def place_database(target: Path) -> Path:
    """Put a database of SQLite that is migrated and has nothing in it where none is; return its path."""
    share_folder()
    shared = Path(os.environ[SHARED])
    source = shared / "migrated" / "host.sqlite3"
    try:
        (shared / "begun").mkdir()
    except FileExistsError:
        await_that(source.exists)
    else:
        _migrate(source.parent)
    target.parent.mkdir(exist_ok=True)
    return Path(shutil.copyfile(source, target))


def _migrate(folder: Path) -> None:
    made = folder.with_name("made")
    made.mkdir()
    bare = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
    told = {"GAMESMASTER_DATA": str(made), "GAMESMASTER_SECRET": "s" * 40}
    subprocess.run([sys.executable, "-c", MIGRATE], env=bare | told, check=True)
    made.rename(folder)
