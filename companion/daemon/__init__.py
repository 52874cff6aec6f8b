"""The daemon, `companion run`: from start to stop, and how others speak with it.

`daemon` is the story: startup, phases, shutdown. It opens a companion and its voice
(`companion.assembly`), answers on a control socket (`control`, `requests`; `client` is the other
end), and tells systemd how it fares (`notify`, `watchdog`).
"""
