"""Tests of the room engines, with real engines (servers) and with a server that fails as it is told (faulty)."""
