"""Pictures: the shapes of a board, and maps drawn from them with positions, orders and results."""
