"""`companion eval extraction`: what is learnt from written sessions."""
