"""Files and tables of texts that annotators may have changed."""
