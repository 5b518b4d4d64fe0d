"""Ratings past memory: an engine counts them where they are, and distinct rows of labels come back."""
