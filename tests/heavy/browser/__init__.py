"""The report's page as a reader opens it, in Chromium."""
