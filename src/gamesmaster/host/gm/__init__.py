"""The Gamesmaster's page, remarks on a game, and webhooks."""
