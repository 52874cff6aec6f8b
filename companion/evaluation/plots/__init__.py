"""Plots of what was measured, by matplotlib (extra `bench`)."""
