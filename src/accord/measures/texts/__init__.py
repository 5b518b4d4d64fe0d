"""Measures on texts that annotators may change."""
