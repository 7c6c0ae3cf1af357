"""Finding the resolutions of an equation system: propagation, Z3, cycles. Z3 is imported only here,
in `models`."""
