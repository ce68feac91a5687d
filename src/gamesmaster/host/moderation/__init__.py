"""Keeping order: reports, the log, accounts that look alike."""
