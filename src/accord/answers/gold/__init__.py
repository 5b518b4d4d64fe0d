"""Gold standards from several annotators: consensus, models of annotators, and manual decisions."""
