"""Rule profiles: reading `rules/*.yaml`, checking what they say, composing and comparing them."""
