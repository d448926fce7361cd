"""From intervals to a verdict: the rule, what it assumes, the headline."""
