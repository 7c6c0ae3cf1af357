"""What rules would have changed in games that people played, and on random boards."""
