"""Playing by mail: mail that comes in, and how mail goes out."""
