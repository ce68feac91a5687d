"""Games as they form and change hands: new ones, lists, seats, standbys, deadlines, ratings."""
