"""The mail room: what comes in by mail, and what goes out."""
