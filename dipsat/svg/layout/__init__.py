"""Pictures of maps from their borders alone, and where things stand in any picture."""
