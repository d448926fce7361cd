"""The conventions of each tool, one file per tool."""
