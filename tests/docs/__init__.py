"""What the documents say and show is what dipsat does."""
