"""Tests of the room judged_lists."""
