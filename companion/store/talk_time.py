"""How long was talked, from the log."""

from __future__ import annotations

from datetime import datetime

import apsw

from companion.store.connection import rows


def talked_s(c: apsw.Connection, since: datetime, until: datetime, pause_s: float) -> float:
    """Seconds of talk between two moments. A silence of more than `pause_s` is none."""
    found = rows(
        c,
        "SELECT m.time FROM turns AS t CROSS JOIN messages AS m "
        "ON m.session = t.session AND m.turn = t.number "
        "WHERE t.began BETWEEN ? AND ? ORDER BY m.seq",
        since.timestamp(),
        until.timestamp(),
    )
    total, last = 0.0, None
    for (time,) in found:
        moment = datetime.fromisoformat(time).timestamp()
        if last is not None and 0 < moment - last <= pause_s:
            total += moment - last
        last = moment
    return total
