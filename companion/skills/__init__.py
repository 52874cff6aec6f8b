"""Small programs that are used by talking: stories, games, timers. No language model is asked."""
