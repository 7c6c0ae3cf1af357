"""The docs as a site, with the rule lab in it: `python -m bench.site DIR`."""
