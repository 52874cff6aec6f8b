"""One file for each page: what it asks of the toy, and what its forms change."""
