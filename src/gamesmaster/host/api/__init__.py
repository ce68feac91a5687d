"""The door for programs: everything a page can do, as JSON, by the same services; and a seat for language models."""
