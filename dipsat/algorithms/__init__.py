"""Published algorithms that adjudicate, as independent judges of movement phases."""
