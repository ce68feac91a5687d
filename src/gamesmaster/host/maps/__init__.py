"""Maps of games, as pages, programs and downloads show them."""
