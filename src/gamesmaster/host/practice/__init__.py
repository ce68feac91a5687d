"""Playing without others: sandboxes, private plans, the tutorial."""
