"""Hosted games: rows, settings and editions, what each viewer may see, and notifications about them."""
