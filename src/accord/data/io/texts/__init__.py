"""Readers of texts that annotators may have changed, from files and tables."""
