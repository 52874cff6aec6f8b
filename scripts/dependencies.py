"""Print what the installed package requires, one requirement a line, for `pip install -r`.

Without llama-cpp-python, which scripts/install_llama.py brings in a build that suits the machine.
Arguments: the extras to include.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib import metadata

_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")


_ALWAYS = "os_name != ''"
"""A file of requirements knows no extras. What else a marker asks for, such as Linux, stays."""


def main() -> None:
    for requirement in chosen(metadata.requires("companion") or [], set(sys.argv[1:])):
        print(requirement)


def chosen(requirements: Iterable[str], extras: Collection[str]) -> Iterator[str]:
    """Those of a package's requirements that hold with these extras."""
    for requirement in requirements:
        extra = _EXTRA.search(requirement)
        if requirement.startswith("llama-cpp-python") or (extra and extra[1] not in extras):
            continue
        yield _EXTRA.sub(_ALWAYS, requirement)


if __name__ == "__main__":
    main()
