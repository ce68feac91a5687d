"""The Gamesmaster's desk, remarks on a game, and programs that are told of it."""
