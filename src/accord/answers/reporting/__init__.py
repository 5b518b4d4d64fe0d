"""A report that one can send: what was found in data, gathered from the answers of all questions, as one page."""
