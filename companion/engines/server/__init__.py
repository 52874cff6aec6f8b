"""Language models behind a server on the owner's own network."""
