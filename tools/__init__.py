"""What builds tables, pictures and pages of the docs; no part of the installed package."""
