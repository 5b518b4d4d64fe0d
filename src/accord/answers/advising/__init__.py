"""Choice of measures: a decision tree, which accord follows with facts from the data and answers of the user."""
