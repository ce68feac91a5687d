"""Other people's files: boards and games as other programs write them.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.formats.documents import LARGEST_DOCUMENT, Document, Query, read_documents, request_schema
    from gamesmaster.formats.foreign import read_any_edition, read_foreign
    from gamesmaster.formats.importing import FORMS, Form, Imported, import_variants, is_id
    from gamesmaster.formats.letters import LARGEST_LETTER, Letter, in_order, letters_of, read_letters
    from gamesmaster.formats.phases import ledger_data, ruling_data
    from gamesmaster.formats.replay import Replay, Verdict, recorded_game

__all__ = [
    "FORMS",
    "LARGEST_DOCUMENT",
    "LARGEST_LETTER",
    "Document",
    "Form",
    "Imported",
    "Letter",
    "Query",
    "Replay",
    "Verdict",
    "import_variants",
    "in_order",
    "is_id",
    "ledger_data",
    "letters_of",
    "read_any_edition",
    "read_documents",
    "read_foreign",
    "read_letters",
    "recorded_game",
    "request_schema",
    "ruling_data",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
