"""The map itself: its ground, its ink, and the pieces that stand on it."""
