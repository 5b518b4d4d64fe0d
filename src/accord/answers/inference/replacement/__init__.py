"""May a model stand in for a person? The alternative annotator test, and what changes if one does."""
