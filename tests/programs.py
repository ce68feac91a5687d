"""Programs that some tests need, and the Debian packages that bring them.

`python3 tests/programs.py` installs the packages that are missing, and those named after it.  It does so as root or by
sudo without a password, and does nothing where neither is possible: then the tests marked `needs` are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = {
    "caddy": ("caddy",),
    "chromium-headless-shell": ("chromium-headless-shell", "chromium"),  # the first has no windows and does less work
    "git": ("git",),
    "procps": ("ps",),
    "systemd": ("systemd-analyze",),
}
"""By package, the programs of which the tests need one."""


def find_program(package: str) -> str | None:
    """Return the path of the program that a package brings, None if it is missing."""
    return next(filter(None, map(shutil.which, PROGRAMS[package])), None)


def install(packages: list[str]) -> None:
    """Install Debian packages if that is allowed; one that cannot be installed does not stop the others."""
    become_root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (become_root and not _succeeds([*become_root, "true"])):
        return
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qy", "-o", "DPkg::Lock::Timeout=120"]
    _succeeds([*apt, "update"])
    for package in packages:
        _succeeds([*apt, "install", "--no-install-recommends", package])


def _succeeds(command: list[str]) -> bool:
    if not shutil.which(command[0]):
        return False
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0


if __name__ == "__main__":
    if wanted := [package for package in PROGRAMS if not find_program(package)] + sys.argv[1:]:
        install(wanted)
