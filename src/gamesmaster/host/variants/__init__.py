"""The variants that can be played: their pages and rulebooks."""
