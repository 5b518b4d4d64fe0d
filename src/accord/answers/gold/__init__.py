"""A gold standard from several annotators: consensus, models of annotators, and decisions of people."""
