"""The page over TLS, with a certificate of our own making."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest

from companion.clock import ManualClock
from companion.config import WebSection
from companion.errors import ConfigError
from companion.web.listening import check_certificate
from tests.web.conftest import opened
from tests.web.fake_toy import PIN, FakeToy

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate")


@pytest.fixture
def section(tmp_path: Path) -> WebSection:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    return WebSection(certificate=certificate, key=key)


async def test_a_visit_over_tls(section: WebSection, toy: FakeToy, clock: ManualClock) -> None:
    trusted = ssl.create_default_context(cafile=str(section.certificate))
    async with opened(toy, clock, section) as page:
        origin = f"https://127.0.0.1:{page.port}"
        async with httpx.AsyncClient(base_url=origin, verify=trusted, trust_env=False) as browser:
            first = await browser.get("/pin")
            assert first.status_code == 200
            assert "without encryption" not in first.text
            inside = await browser.post("/pin", data={"pin": PIN}, headers={"origin": origin})
            assert inside.headers["location"] == "/"
            cookie = inside.headers["set-cookie"]
            assert cookie.startswith("__Host-companion=")
            assert "Secure" in cookie
            assert (await browser.get("/who")).status_code == 200
            other = {"origin": origin.replace("https", "http")}
            assert (await browser.post("/pin", data={"pin": PIN}, headers=other)).status_code == 403
        async with httpx.AsyncClient(trust_env=False) as stranger:
            with pytest.raises(httpx.TransportError):
                await stranger.get(f"{origin}/pin")  # who does not know the certificate
            with pytest.raises(httpx.TransportError):
                await stranger.get(f"http://127.0.0.1:{page.port}/pin")  # nothing in the clear


async def test_a_device_without_tls_holds_up_nobody(
    section: WebSection, toy: FakeToy, clock: ManualClock
) -> None:
    trusted = ssl.create_default_context(cafile=str(section.certificate))
    async with opened(toy, clock, section) as page:
        held = [await asyncio.open_connection("127.0.0.1", page.port) for _ in range(8)]
        origin = f"https://127.0.0.1:{page.port}"
        async with httpx.AsyncClient(base_url=origin, verify=trusted, trust_env=False) as browser:
            assert (await browser.get("/pin")).status_code == 200
        for _, writer in held:
            writer.close()


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    section = WebSection(certificate=tmp_path / "none.pem", key=tmp_path / "none.key")
    with pytest.raises(ConfigError, match=r"web.certificate: .*none.pem: No such file"):
        check_certificate(section)


@pytest.mark.parametrize("broken", ["certificate", "key"])
def test_what_is_no_certificate_is_named(section: WebSection, broken: str) -> None:
    check_certificate(section)
    path = getattr(section, broken)
    path.write_text("nonsense")
    with pytest.raises(ConfigError, match="no certificate in PEM and its key"):
        check_certificate(section)
