"""Shapes: where on the page each province lies, as values and as files."""
