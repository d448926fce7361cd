"""The conventions of each tool, one tool a file."""
