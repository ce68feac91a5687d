"""Games, maps, powers and messages."""
