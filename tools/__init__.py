"""Builders of tables, pictures and pages of the docs; not part of the installed package."""
