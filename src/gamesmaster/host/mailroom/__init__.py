"""Playing by mail: incoming mail, and sending mail."""
