"""Changes of the tables of the database, in order."""
