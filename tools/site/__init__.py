"""The docs as a site, with the rule lab in it: `python -m tools.site DIR`."""
