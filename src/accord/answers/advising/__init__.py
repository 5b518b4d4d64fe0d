"""Which measure? A tree of questions, what it recommends and why; and data, which answer some of them."""
