"""One way for all long work: pieces go to an executor, and their results come back in order."""
