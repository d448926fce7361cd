"""The documents that tools write."""
