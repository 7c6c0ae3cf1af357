"""One way for all long work: pieces go to an executor, and their results come back in order."""

RETRIES = 2
"""How often a piece of work that ended its worker is tried again."""
MOST_JOBS = 1024
"""The most processes that are started; a computer with as many cores is rare."""
