"""Measuring: speed (bench) and quality (eval)."""
