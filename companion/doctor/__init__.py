"""Checks of a machine: is everything in place?"""
