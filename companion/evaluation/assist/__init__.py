"""Recall at a touch, measured on what people told on several days."""
