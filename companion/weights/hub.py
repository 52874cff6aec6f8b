"""Weights from a model hub, over HTTPS, resumed by Range after a cut.

The address is the hub's documented one, `<endpoint>/<repository>/resolve/<revision>/<file>`
(huggingface_hub, "file download"); `HF_ENDPOINT` names a mirror, as in that library.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx

from companion.errors import FetchError
from companion.weights.manifest import HubFile

_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
_PAUSES_S = (0.5, 2.0, 5.0)
"""Waits between tries that brought nothing; after the last one the source is given up."""

PROBE_S = 3.0
"""A hub that has not answered within so many seconds counts as one that cannot be reached."""

_REFUSALS = {401: "asks for a login", 403: "refuses it", 404: "does not have it"}


class HubUnreachable(FetchError):
    """No connection at all: the next file need not try again."""


def probe(source: HubFile, size: int, seconds: float = PROBE_S) -> None:
    """Ask the hub for the first byte of a file of `size` bytes, and return when it has it.

    Takes `seconds` at most, whatever the network does: also a look-up of the host's name, which no
    timeout of a socket ends. Raises HubUnreachable without an answer, FetchError when somebody
    answers who does not have the file: a hub that refuses it, a page that asks for a login.
    """
    said: list[FetchError | None] = []

    def ask() -> None:
        try:
            said.append(_first_byte(source, size, seconds))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            said.append(_unreachable(source, str(error)))

    asking = threading.Thread(target=ask, daemon=True, name="probe of the hub")
    asking.start()
    asking.join(seconds)
    answer = said[0] if said else _unreachable(source, f"no answer in {seconds:g} s")
    if answer is not None:
        raise answer


def _first_byte(source: HubFile, size: int, seconds: float) -> FetchError | None:
    url = _address(source)
    headers = {"Range": "bytes=0-0", "Accept-Encoding": "identity"}
    with (
        httpx.Client(timeout=seconds, follow_redirects=True) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        status, there = response.status_code, response.headers.get("Content-Range", "")
        if status == 200:
            there = f"/{response.headers.get('Content-Length', '')}"
        if status in (200, 206) and there.endswith(f"/{size}"):
            return None
        reason = _REFUSALS.get(status, "something else than the file comes")
        return FetchError(f"{httpx.URL(url).host} answers {status}: {reason}")


def _unreachable(source: HubFile, cause: str) -> HubUnreachable:
    host = ""
    with contextlib.suppress(httpx.InvalidURL):
        host = httpx.URL(_address(source)).host
    return HubUnreachable(f"{host or _address(source)} cannot be reached: {cause}")


def download(source: HubFile, partial: Path, size: int, at: Callable[[int], None]) -> None:
    """Extend `partial`, a prefix of the file (perhaps absent), to `size` bytes.

    `at` hears how many bytes are there. What arrived stays in `partial` on failure. Raises
    FetchError, or HubUnreachable when not even a first connection was made; OSError for the disk.
    """
    url = _address(source)
    fruitless = 0
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        while (have := _length(partial)) < size:
            try:
                _request(client, url, partial, have, size, at)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                if have == 0 and fruitless == 0:
                    raise _unreachable(source, str(error)) from None
                cause = str(error)
            except httpx.TransportError as error:
                cause = f"connection cut ({error})"
            except _TryAgain as error:
                cause = str(error)
            except httpx.HTTPError as error:
                raise FetchError(f"{url}: {error}") from None
            else:
                cause = "the answer ended early"
            if _length(partial) > have:
                fruitless = 0
            elif fruitless == len(_PAUSES_S):
                raise FetchError(f"{url}: {cause}; {have:,} bytes are kept for the next try")
            else:
                time.sleep(_PAUSES_S[fruitless])
                fruitless += 1


class _TryAgain(Exception):
    """The server is busy or ill; the same request may work later."""


def _request(
    client: httpx.Client, url: str, partial: Path, have: int, size: int, at: Callable[[int], None]
) -> None:
    # `identity`: a compressed answer could not be resumed by byte position.
    headers = {"Range": f"bytes={have}-", "Accept-Encoding": "identity"}
    with client.stream("GET", url, headers=headers) as response:
        status = response.status_code
        if status == 429 or status >= 500:
            raise _TryAgain(f"the hub answers {status}")
        if status not in (200, 206):
            reason = _REFUSALS.get(status, "cannot give it")
            raise FetchError(f"{url}: the hub answers {status}: {reason}")
        starts_here = response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        if status == 206 and not starts_here:
            raise FetchError(f"{url}: the hub sent another range than asked for")
        if status == 200:
            have = 0
        with partial.open("r+b" if partial.exists() else "wb") as stream:
            stream.truncate(have)
            stream.seek(have)
            for block in response.iter_raw():
                have += len(block)
                if have > size:
                    stream.truncate(0)
                    raise FetchError(f"{url}: is longer than the manifest's {size:,} bytes")
                stream.write(block)
                at(have)


def _address(source: HubFile) -> str:
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    return f"{endpoint}/{source.repository}/resolve/{source.revision}/{quote(source.path)}"


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
