"""Measures on numbers."""
