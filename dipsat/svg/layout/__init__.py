"""Where things stand in a picture: provinces on the sheet, and units and names in provinces."""
