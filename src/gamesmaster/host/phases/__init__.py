"""Phases end: deadlines kept, orders adjudicated, votes counted, games taken back or over."""
