"""The schemas of what is printed and written: one file a command, each with its `OUTPUTS`."""
