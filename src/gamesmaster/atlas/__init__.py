"""Making boards: anchors on real geography become provinces, their shapes and who can go where."""
