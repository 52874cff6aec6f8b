"""`companion eval memories`: what is kept of a written life, and what can be answered from it."""
