"""Replies that people wrote, said as they are where the child clearly says the same thing."""
