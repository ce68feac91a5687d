"""Moderation: reports, the audit log, shared addresses."""
