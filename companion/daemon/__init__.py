"""The daemon, `companion run`: one life from start to stop, and how others speak with it.

`life` is the story: startup, phases, shutdown. It opens a `mind` (store, models, phases) and
`ears` (the voice loop), answers on a control socket (`control`, `requests`; `client` is the
other end), and tells systemd how it fares (`notify`, `watchdog`).
"""
