"""Measures on chains of coreference."""
