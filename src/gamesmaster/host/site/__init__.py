"""What the site stands on, whatever is played there: refusals, clock, database, cache, limits, logs."""
