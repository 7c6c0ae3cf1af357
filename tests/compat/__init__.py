"""Tests of the faces of other packages."""
