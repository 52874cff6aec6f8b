"""The word on the tip of the tongue: recall at a touch, while one talks with others."""
