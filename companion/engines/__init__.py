"""The only room that imports heavy libraries. `protocols` is what the other rooms see."""
