"""Numbers of orders in other programs, for programs that learn.

docs/lab-environment.md has an example.
"""

from gamesmaster.environments.encodings import DeepMindActions, DipNetVocabulary

__all__ = ["DeepMindActions", "DipNetVocabulary"]
