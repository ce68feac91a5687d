"""Plain functions over columns: lists in ordinary Python, and arrays for which Numba compiles the same source."""
