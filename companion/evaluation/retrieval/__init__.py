"""`companion eval retrieval`: is the evidence of a question recalled?"""
