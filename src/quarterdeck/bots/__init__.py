"""Players that are programs: levels, and whole games between them."""
