"""Other people's files: boards and games as other programs write them.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.formats.documents import LARGEST_DOCUMENT as LARGEST_DOCUMENT
    from gamesmaster.formats.documents import Document as Document
    from gamesmaster.formats.documents import Query as Query
    from gamesmaster.formats.documents import read_documents as read_documents
    from gamesmaster.formats.documents import request_schema as request_schema
    from gamesmaster.formats.draft import Country as Country
    from gamesmaster.formats.draft import DatedPhase as DatedPhase
    from gamesmaster.formats.draft import Draft as Draft
    from gamesmaster.formats.draft import Space as Space
    from gamesmaster.formats.draft import plain_run as plain_run
    from gamesmaster.formats.exporting import export as export
    from gamesmaster.formats.foreign import read_any_edition as read_any_edition
    from gamesmaster.formats.foreign import read_foreign as read_foreign
    from gamesmaster.formats.form import Form as Form
    from gamesmaster.formats.form import RecordedGame as RecordedGame
    from gamesmaster.formats.form import Source as Source
    from gamesmaster.formats.importing import FORMS as FORMS
    from gamesmaster.formats.importing import Boards as Boards
    from gamesmaster.formats.importing import Imported as Imported
    from gamesmaster.formats.importing import Offer as Offer
    from gamesmaster.formats.importing import import_variants as import_variants
    from gamesmaster.formats.importing import is_id as is_id
    from gamesmaster.formats.importing import known_forms as known_forms
    from gamesmaster.formats.importing import packs_in as packs_in
    from gamesmaster.formats.importing import variants_in as variants_in
    from gamesmaster.formats.letters import LARGEST_LETTER as LARGEST_LETTER
    from gamesmaster.formats.letters import Letter as Letter
    from gamesmaster.formats.letters import in_order as in_order
    from gamesmaster.formats.letters import letters_of as letters_of
    from gamesmaster.formats.letters import read_letters as read_letters
    from gamesmaster.formats.phases import ledger_data as ledger_data
    from gamesmaster.formats.phases import ruling_data as ruling_data
    from gamesmaster.formats.recorded import ImportedGame as ImportedGame
    from gamesmaster.formats.recorded import recorded_game as recorded_game
    from gamesmaster.formats.replay import Replay as Replay
    from gamesmaster.formats.replay import Verdict as Verdict
    from gamesmaster.formats.replay import games_in as games_in
    from gamesmaster.formats.replay import import_games as import_games
    from gamesmaster.formats.saved_games import OF_THEIR_TIME as OF_THEIR_TIME
    from gamesmaster.formats.written import Exported as Exported
    from gamesmaster.formats.written import own_form as own_form
    from gamesmaster.formats.written import without_secrets as without_secrets

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
