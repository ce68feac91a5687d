"""Room to be built."""
