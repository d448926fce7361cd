"""The frame of the house: layers."""
