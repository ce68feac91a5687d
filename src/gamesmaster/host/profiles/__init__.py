"""Players: their pages, settings and data."""
