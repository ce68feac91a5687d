"""The games, one folder each, data only: `variant.toml`, `board.json`, `RULES.md`, `scenarios.json`."""
