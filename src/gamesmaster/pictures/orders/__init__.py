"""Orders and results drawn over the units of a map."""
