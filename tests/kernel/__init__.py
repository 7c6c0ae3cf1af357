"""Rules compiled to machine code, against dipsat's Python."""
