"""The parents' page, `companion web`: a process of its own, which opens no store beside a daemon.

`listening` gives it a socket, `connections` bounds who holds one; `door` lets requests in by their
address, `sessions` by the PIN; `site` is the table of pages, `pages/` has one file for each, and
`toy` asks the daemon for what they show. `wording` and `templates/` are all that it says.
"""
