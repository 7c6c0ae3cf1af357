"""Results as rows in files, for programs that analyse data: JSON Lines and Parquet."""
