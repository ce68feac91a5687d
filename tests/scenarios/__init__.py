"""Scenarios of a variant: read, set up, run, and compared with what became of them."""
