"""Which Jetson Linux (L4T) a board runs, and what is known of it."""

from __future__ import annotations

import re
from pathlib import Path

RELEASE = Path("/etc/nv_tegra_release")

SHORT_ALLOCATIONS = (36, 4, 7)
"""From here on boards are reported on which one allocation above about 3.8 GiB fails with `NvMap…
error 12` while more is free: this release follows allocations strictly (CVE-2025-33177;
github.com/ggml-org/llama.cpp discussion 16706 and pull request 23732). None is reported mended."""

_FORM = re.compile(r"^# R(\d+) \(release\), REVISION: (\d+)(?:\.(\d+))?")


def release(file: Path = RELEASE) -> tuple[int, int, int] | None:
    """E.g. (36, 4, 7) for `# R36 (release), REVISION: 4.7`; None where it cannot be told."""
    try:
        found = _FORM.match(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    if found is None:
        return None
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)


def allocates_short(of: tuple[int, int, int] | None) -> bool:
    """Whether one large allocation may fail on a board of this release."""
    return of is not None and of >= SHORT_ALLOCATIONS
