"""Finding the resolutions of an equation system: propagation, Z3, cycles. z3 is imported here only."""
