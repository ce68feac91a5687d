"""Hosted games as they are kept, and as each viewer may see them: rows, settings, editions, letters about them."""
