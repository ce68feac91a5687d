"""Accounts: names, profiles, sign-up, sign-in, tokens."""
