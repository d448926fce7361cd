"""Rankings beside one another: overlap, order, and the order of systems."""
