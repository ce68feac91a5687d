"""Foundations of the API: callers, common answers, and clients."""
