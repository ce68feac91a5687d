"""The API: everything a page can do."""
