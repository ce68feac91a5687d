"""Saved games, and what the package keeps beside its engine."""
