"""The heuristic player over columns, for players at the table and in batches alike.

Its modules stand one upon another: `outlook` says what places are worth and what others may do, `menu` what the units
of a power could do, `plan` searches for the orders that are worth most together, and `pick` chooses retreats, builds
and removals.  They know no orders and no mechanics.
"""
