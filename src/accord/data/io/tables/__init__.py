"""Tables: files, pipes and what is in memory → ratings, units, segmentations."""
