"""Figures as frozen values with their numbers; Matplotlib draws them on demand."""
