"""Games on postcards: a line for each phase and power, with the orders of that power."""

from collections.abc import Iterator

from gamesmaster import Game
from gamesmaster.errors import BadFile
from gamesmaster.formats import Exported, Form, RecordedGame, Source, own_form, without_secrets

HEAD = "POSTCARDS "


def read(source: Source) -> Iterator[RecordedGame]:
    """Yield the game of a file; what a phase begins with follows from the phases before it."""
    head, *lines = source.text.splitlines()
    phases: dict[str, dict[str, list[str]]] = {}
    for number, line in enumerate(lines, 2):
        whose, colon, orders = line.partition(":")
        words = whose.split(maxsplit=1)
        if not colon or len(words) != 2:
            raise BadFile("expected a phase, a power, a colon and orders", where=f"{source.where}, line {number}")
        phase, power = words
        phases.setdefault(phase, {})[power] = [order.strip() for order in orders.split(";") if order.strip()]
    names = [*phases, "COMPLETED"]
    yield RecordedGame(
        name=source.where.rpartition("/")[2].partition(".")[0] or "game",
        boards=(head.removeprefix(HEAD).strip(),),
        phases=[
            {"phase": phase, "orders": orders, "next": {"phase": following}}
            for (phase, orders), following in zip(phases.items(), names[1:], strict=True)
        ],
    )


def write(game: Game, viewer: str, name: str) -> Exported:
    """Return the postcards of a game, and our own form beside them."""
    seen = without_secrets(game, viewer)
    lines = [f"{HEAD}{game.variant.id}"]
    for record in seen.records:
        lines += [f"{record.phase.code} {power}: {'; '.join(orders)}" for power, orders in record.orders.items()]
    made = Exported("postcards", {f"{name}.postcards": "\n".join([*lines, ""]).encode()})
    made.lost.append("results, which follow from the orders, and the phase being played")
    own_form(made, seen, name)
    return made


FORM = Form(
    id="postcards",
    name="games on postcards",
    files="text",
    carried="orders",
    derived="positions and results",
    lost="nothing",
    fits=lambda source: source.text.startswith(HEAD),
    games=read,
    write_game=write,
)
