"""The browser of the tests: Debian's Chromium."""

from __future__ import annotations

from tests.programs import find_program

CHROMIUM = find_program("chromium-headless-shell")
"""The path of the program; None if it is missing."""

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
