"""`companion eval qa`: what is still known after days of talk."""
