"""Gates: conditions, outcomes, exit codes, reports, the pytest plugin."""
