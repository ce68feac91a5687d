"""Orders: read, looked over, stored, acknowledged."""
