"""Many games of one variant in lock step, over flat tables, by machine code (extra `fast`)."""
