"""Files: phases as people write them, and the DATC cases."""
