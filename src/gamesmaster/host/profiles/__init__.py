"""People: their pages, settings and data."""
