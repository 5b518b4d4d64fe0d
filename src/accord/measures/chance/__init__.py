"""Random annotations: what the disorder would be by chance (Mathet et al. 2015, 4.8 and 5.2)."""
