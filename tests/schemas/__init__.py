"""Schemas: what commands print and write is what its schema says."""
