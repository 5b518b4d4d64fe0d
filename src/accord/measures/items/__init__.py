"""Coefficients on labels of items."""
