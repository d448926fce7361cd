"""Tests of the room engines: what needs no server. tests/heavy/engines asks real ones, and one that fails."""
