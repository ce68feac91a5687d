"""The available variants: their pages and rulebooks."""
