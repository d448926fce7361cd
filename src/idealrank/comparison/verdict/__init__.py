"""From intervals to a verdict: the rule, what it assumes, its reasons, and its words."""
