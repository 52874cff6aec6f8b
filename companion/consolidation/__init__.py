"""The inactive phase: what was said becomes memories and profile, and old memories fade."""
