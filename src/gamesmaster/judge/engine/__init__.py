"""What works on numbers: orders worked out and bound to units, the columns that they make, and who beats whom."""
