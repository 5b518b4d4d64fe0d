"""Random annotations and their expected disorder (Mathet et al. 2015, 4.8 and 5.2)."""
