"""Accounts: names, profiles, signing up and in, tokens."""
