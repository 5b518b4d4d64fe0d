"""Reports: the results of all questions about data, on one HTML page."""
