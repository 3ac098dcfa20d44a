"""Chunks that are found: the index, the search over it, and what is searched."""
