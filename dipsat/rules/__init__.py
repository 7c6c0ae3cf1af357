"""Rule profiles: the rule language, reading and checking `rules/*.yaml`, settings, comparing."""
