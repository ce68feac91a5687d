"""Press: messages of players, notices of the house, and pages that follow them."""
