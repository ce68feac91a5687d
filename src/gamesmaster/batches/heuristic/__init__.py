"""The heuristic player in batches: its plan for a movement, its retreats, builds and removals, over flat tables."""
