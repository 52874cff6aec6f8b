"""The section of the parents' page (`companion web`)."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from companion.config.sections import Section


class WebSection(Section):
    """The page on which a parent sees, corrects, keeps and erases. Nothing of it runs until
    `companion web` is started."""

    port: int = Field(8722, ge=1024, le=65535)
    lan: bool = False
    """False: this machine only. True: other devices of the home network may reach it too."""

    hosts: tuple[str, ...] = ()
    """Names under which browsers may ask for it, besides this machine's own name and address."""

    certificate: Path | None = None
    key: Path | None = None
    """Of TLS, in PEM; without them the home network can read along, and the page says so."""

    idle_minutes: int = Field(15, ge=1, le=60)
    """Who has asked for nothing for so long has to give the PIN again."""

    undo_s: float = Field(600, ge=0, le=86_400)
    """What is erased can be brought back for so many lived seconds; then it is gone for good."""

    @model_validator(mode="after")
    def _both_or_none(self) -> WebSection:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("TLS needs both certificate and key: name the other one too")
        return self
