"""Ground terms: an equation after all facts have been put in, and what can be read from one."""
