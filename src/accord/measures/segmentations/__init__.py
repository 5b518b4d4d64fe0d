"""Measures on boundaries."""
