"""Games and variants in the forms of other programs, and our own form beside each that loses something."""

from __future__ import annotations

from gamesmaster.errors import GamesmasterError, NotFound, must_be, nearest
from gamesmaster.formats.importing import known_forms
from gamesmaster.formats.written import Exported
from gamesmaster.game import Game
from gamesmaster.variant import Variant


def export(what: Game | Variant, form: str, *, viewer: str = "", name: str = "game") -> Exported:
    """Return a game or a variant in the form of another program, by the form's id: its files, and what they lose.

    Our own form, which loses nothing, is among the files.  A game that goes on is written as `viewer`, a power, may
    see it: with the phases that are over, the position, and of the orders of the phase being played the viewer's alone;
    by default with no such orders.  `name` is what the game is called.

    Raises `NotFound` for a form that is not written or an unknown viewer, `GamesmasterError` for a form that does not
    hold games, variants or these units.

    >>> import gamesmaster as gm
    >>> made = gm.export(gm.find_variant("standard"), "dotmap")
    >>> sorted(made.files)[-2:]
    ['standard/variant.toml', 'standard.map']
    """
    must_be((Game, Variant), what, "a Game or a Variant")
    known = {one.id: one for one in known_forms() if one.write_game or one.write_variant}
    if form not in known:
        raise NotFound(f"no form {form[:40]!r} is written", hint=nearest(form, known) or f"known: {', '.join(known)}")
    found = known[form]
    if isinstance(what, Game) and found.write_game:
        return found.write_game(what, viewer, name)
    if isinstance(what, Variant) and found.write_variant:
        return found.write_variant(what)
    holds = "games" if found.write_game else "variants"
    fitting = [one.id for one in known.values() if (one.write_game if isinstance(what, Game) else one.write_variant)]
    raise GamesmasterError(f"{form} holds {holds} only", hint=f"one of {', '.join(fitting)}")
