"""Finding the resolutions of an equation system: propagation, Z3 (imported here only), cycles."""
