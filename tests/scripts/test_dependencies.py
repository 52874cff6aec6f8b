"""What scripts/setup has pip install."""

from __future__ import annotations

from dependencies import chosen
from packaging.requirements import Requirement

PACKAGE = [
    "numpy>=1.26",
    "llama-cpp-python==0.3.16",
    "tomli>=2; python_version < '3.11'",
    "soxr>=0.5; extra == 'voice'",
    "gpiod>=2; (sys_platform == 'linux') and extra == 'voice'",
    "ruff>=0.6; extra == 'dev'",
]


def installed(extras: set[str], system: str) -> list[str]:
    """Names of what pip installs on a system, as it reads markers in a file of requirements."""
    found = [Requirement(each) for each in chosen(PACKAGE, extras)]
    here = {"sys_platform": system, "python_version": "3.12"}
    return [each.name for each in found if each.marker is None or each.marker.evaluate(here)]


def test_extras_are_taken_as_asked_and_llama_cpp_never() -> None:
    assert installed(set(), "linux") == ["numpy"]
    assert installed({"voice"}, "linux") == ["numpy", "soxr", "gpiod"]
    assert installed({"voice", "dev"}, "linux") == ["numpy", "soxr", "gpiod", "ruff"]


def test_what_is_for_linux_alone_stays_so() -> None:
    """A Mac has no gpiod: pip would fail, and all of `scripts/setup --voice` with it."""
    assert installed({"voice"}, "darwin") == ["numpy", "soxr"]
