"""Other people's files: boards and games as other programs write them.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.formats.documents import LARGEST_DOCUMENT, Document, Query, read_documents, request_schema
    from gamesmaster.formats.draft import Country, DatedPhase, Draft, Space, plain_run
    from gamesmaster.formats.exporting import export
    from gamesmaster.formats.foreign import read_any_edition, read_foreign
    from gamesmaster.formats.form import Form, RecordedGame, Source
    from gamesmaster.formats.importing import (
        FORMS,
        Boards,
        Imported,
        Offer,
        import_variants,
        is_id,
        known_forms,
        packs_in,
        variants_in,
    )
    from gamesmaster.formats.letters import LARGEST_LETTER, Letter, in_order, letters_of, read_letters
    from gamesmaster.formats.phases import ledger_data, ruling_data
    from gamesmaster.formats.recorded import ImportedGame, recorded_game
    from gamesmaster.formats.replay import Replay, Verdict, games_in, import_games
    from gamesmaster.formats.saved_games import OF_THEIR_TIME
    from gamesmaster.formats.written import Exported, own_form, without_secrets

__all__ = [
    "FORMS",
    "LARGEST_DOCUMENT",
    "LARGEST_LETTER",
    "OF_THEIR_TIME",
    "Boards",
    "Country",
    "DatedPhase",
    "Document",
    "Draft",
    "Exported",
    "Form",
    "Imported",
    "ImportedGame",
    "Letter",
    "Offer",
    "Query",
    "RecordedGame",
    "Replay",
    "Source",
    "Space",
    "Verdict",
    "export",
    "games_in",
    "import_games",
    "import_variants",
    "in_order",
    "is_id",
    "known_forms",
    "ledger_data",
    "letters_of",
    "own_form",
    "packs_in",
    "plain_run",
    "read_any_edition",
    "read_documents",
    "read_foreign",
    "read_letters",
    "recorded_game",
    "request_schema",
    "ruling_data",
    "variants_in",
    "without_secrets",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
