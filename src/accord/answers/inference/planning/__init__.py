"""How much to annotate, and who annotates what."""
