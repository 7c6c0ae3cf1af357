"""The equations over every board: what they say of decision cycles."""
