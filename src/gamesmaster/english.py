"""Plural forms."""


def many(number: int, thing: str) -> str:
    """Return a number of things: `1 order`, `2 orders`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
