"""Measures on units of a continuum."""
