"""Hosted games: rows, settings and editions, what each viewer may see, and letters about them."""
