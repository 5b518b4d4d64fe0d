"""Measures on texts that annotators can correct."""
