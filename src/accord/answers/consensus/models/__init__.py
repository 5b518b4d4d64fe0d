"""What the truth may be, given that annotators are not equally reliable: models that weigh them."""
