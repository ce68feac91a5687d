"""Playing alone: sandboxes, private plans, the tutorial."""
