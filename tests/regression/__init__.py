"""Gates, baselines and histories."""
