"""Doors to the frameworks that people already use; each needs its own extra."""
