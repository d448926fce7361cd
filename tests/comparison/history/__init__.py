"""Histories: dates, files, and changes taken apart."""
