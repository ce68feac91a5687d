"""The bench: how fast, how small, and never slow, measured against PyPI `diplomacy` 1.1.2 (see docs/bench.md)."""
