"""Print what the installed package requires, one requirement a line, for `pip install -r`.

Without llama-cpp-python, which scripts/install_llama.py brings in a build that suits the machine.
Arguments: the extras to include.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata

_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")


def main() -> None:
    wanted = set(sys.argv[1:])
    for requirement in metadata.requires("companion") or []:
        extra = _EXTRA.search(requirement)
        if requirement.startswith("llama-cpp-python") or (extra and extra[1] not in wanted):
            continue
        print(requirement.partition(";")[0].strip() if extra else requirement)


if __name__ == "__main__":
    main()
