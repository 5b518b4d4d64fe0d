"""Whether values differ, and who or what makes them differ."""
