"""Other people's files: boards and games as other programs write them."""

from gamesmaster.formats.foreign import read_any_edition, read_foreign

__all__ = ["read_any_edition", "read_foreign"]
