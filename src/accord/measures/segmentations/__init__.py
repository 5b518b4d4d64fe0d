"""Measures on segmentations (boundaries)."""
