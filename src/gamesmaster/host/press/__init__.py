"""Press: players' messages, public notices, and live updates of pages."""
