"""Foundations of the site, independent of games: refusals, clock, database, cache, limits, logs."""
