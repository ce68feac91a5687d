"""How people hear of things: the inbox, push, the calendar of deadlines, and their settings."""
