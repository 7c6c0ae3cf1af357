"""Random boards and measurements; nothing here is part of the installed package."""
