"""What goes in: every form of judgments and results, every name of a column, every refusal."""
