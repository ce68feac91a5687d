"""What another program would make of a record: its edition, and the phases that it would judge otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from gamesmaster.errors import GamesmasterError
from gamesmaster.game.record_check import Difference, verify
from gamesmaster.game.record_edition import Find, Read
from gamesmaster.game.record_file import loads
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_file import find_variant, read_edition


@dataclass(frozen=True, slots=True)
class Survey:
    """What this program makes of a record.

    `edition` is the address of the edition it is played by; it is a `former` one if the program has another today.
    `differences` are what it would judge otherwise, `fault` why it cannot be read.
    """

    edition: str = ""
    former: bool = False
    differences: tuple[Difference, ...] = ()
    fault: str = ""

    @property
    def changed(self) -> bool:
        """Would anything be otherwise than it was posted, or not be there any more?"""
        return bool(self.fault or self.differences)

    @property
    def phases(self) -> tuple[str, ...]:
        """The codes of the phases that would be judged otherwise."""
        return tuple(dict.fromkeys(one.phase for one in self.differences))


def survey(
    text: str | bytes, *, find: Find = find_variant, read: Read = read_edition, today: Find | None = None
) -> Survey:
    """What this program makes of the record in a text; raises nothing.

    `find` and `read` are those of `loads`; `today` finds what a new game would be played by, if that is not `find`.
    """
    try:
        game = loads(text, find=find, read=read, verify=False)
        differences = tuple(verify(game))
    except GamesmasterError as error:
        return Survey(fault=str(error))
    except Exception as error:  # a defect of this program, and what is looked for
        return Survey(fault=f"a fault of the program, {type(error).__name__}")
    return Survey(game.variant.address, is_former(game.variant, today or find), differences)


def is_former(variant: Variant, find: Find = find_variant) -> bool:
    """Is another edition of this variant found by its name today?"""
    try:
        return find(variant.id).digest != variant.digest
    except GamesmasterError:  # there is none, or not with these options
        return variant.edition is not None and variant.edition.shipped
