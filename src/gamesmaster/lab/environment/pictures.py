"""How a game of the environment is shown: in words, as SVG, or as pixels."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamesmaster.game import Game
from gamesmaster.judge import Rules
from gamesmaster.pictures import Picture, board_in_words, looks_of, marks_of, signs_of
from gamesmaster.pictures.export.images import library, to_png
from gamesmaster.pictures.shapes.places import shapes_of
from gamesmaster.variant import Variant

WIDTH = 800
"""Pixels across a picture."""


class Painter:
    """Shows games of a variant; `near` is where the shapes lie of one that is not the package's."""

    def __init__(self, variant: Variant, rules: Rules, near: Path | None = None) -> None:
        self.variant, self.rules, self.near = variant, rules, near

    @cached_property
    def _picture(self) -> Picture:
        shapes = shapes_of(self.variant, self.near)
        return Picture(self.variant.board, shapes, self.variant.powers, signs=signs_of(self.rules))

    def text(self, game: Game) -> str:
        """The position in words."""
        return board_in_words(self.variant, self.rules, game.phase, game.position)

    def svg(self, game: Game) -> str:
        """The map; raises `NotFound` if the board has no shapes."""
        return self._picture.svg(
            game.position,
            title=self.variant.name,
            subtitle=self.variant.calendar.name(game.phase),
            marks=marks_of(self.rules, game.position),
            looks=looks_of(self.rules, game.position),
            ledger=replace(game.ledger, entries=()),  # whose lines would make pictures of different heights
        )

    def pixels(self, game: Game) -> NDArray[Any]:
        """The map, rows of red, green and blue; raises `GamesmasterError` without the extra `pictures`."""
        image = library("PIL.Image", "PNG").open(BytesIO(to_png(self.svg(game), WIDTH)))
        return np.asarray(image.convert("RGB"))
