"""The parents' page: loopback only."""
