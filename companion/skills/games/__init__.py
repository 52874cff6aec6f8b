"""Games that are played by talking, each a few lines over one small state machine (`game.py`)."""
