"""`python -m dipsat`."""

from dipsat.cli import main

main()
