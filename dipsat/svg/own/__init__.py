"""Reading the shapes of a map from an SVG file that somebody has drawn."""
