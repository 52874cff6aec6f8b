"""`companion bench`: the speed and memory of this machine with these models."""
