"""How sure a value is."""
