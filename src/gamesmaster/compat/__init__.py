"""Drop-ins: other programs' public interfaces, carried out by Gamesmaster."""
