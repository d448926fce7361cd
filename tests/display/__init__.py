"""Tests of the room display."""
