"""The site is built from the pages of docs, and read as a stranger reads it."""
