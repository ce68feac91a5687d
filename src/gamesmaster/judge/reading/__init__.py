"""What people write, read in a position: whole sheets, the orders in them, and which order is meant."""
