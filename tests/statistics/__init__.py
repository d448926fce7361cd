"""Tests of the room statistics."""
