"""Published adjudication algorithms behind one interface, as independent judges."""
