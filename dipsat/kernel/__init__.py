"""Rules compiled to machine code: the equations of a profile as C, built and loaded."""
