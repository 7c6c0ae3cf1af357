"""Ground terms: equations after all facts are substituted, and the ways to read them."""
