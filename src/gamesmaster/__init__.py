"""Gamesmaster: plays, adjudicates, hosts and designs Diplomacy variants."""

__version__ = "0.1.0"
