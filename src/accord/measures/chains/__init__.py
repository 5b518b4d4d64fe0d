"""Measures on coreference chains."""
