"""Games as they form and change hands: creation, lists, seats, standbys, deadlines, ratings."""
