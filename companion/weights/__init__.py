"""Model files: what they are, where they come from, and whether they are whole."""
