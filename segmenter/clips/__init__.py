"""Events and chunks as films of their own."""
