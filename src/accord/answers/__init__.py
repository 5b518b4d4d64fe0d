"""What is asked of `accord score`, and the whole answer."""
