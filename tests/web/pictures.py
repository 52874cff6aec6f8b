"""Pictures of every page for docs/parents.md, and what axe says of them; by hand, with a browser.

    python -m tests.web.written 8798 &
    python tests/web/pictures.py http://127.0.0.1:8798 docs/pictures

Needs playwright, axe-playwright-python, pillow and a chromium (/usr/bin/chromium), in a separate
environment: the suite needs no browser.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

PIN = "204518"
PAGES = {
    "pin": "/pin",
    "new-pin": "/pin/new",
    "today": "/",
    "memories": "/memories",
    "memory": "/memories/11",
    "fading": "/fading",
    "who": "/who",
    "talks": "/talks",
    "talk": "/talk?id=2026-11-23-1",
    "notices": "/notices",
    "times": "/times",
    "toy": "/toy",
}
DESK, PHONE = (820, 900), (390, 844)
LOOKS = {
    "light": ("light", DESK),
    "dark": ("dark", DESK),
    "phone": ("light", PHONE),
    "phone-dark": ("dark", PHONE),
}
GRAVE = ("serious", "critical")


def main() -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    base, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    grave = rules = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for look, (scheme, (width, height)) in LOOKS.items():
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": width, "height": height}
            )
            page = context.new_page()
            for name, path in PAGES.items():
                if name == "today":
                    come_in(page, base)
                page.goto(base + path)
                if look != "phone-dark":
                    save(page.screenshot(), folder / f"{name}-{look}.png")
                report = Axe().run(page).response
                rules += len(report["passes"])
                for found in report["violations"]:
                    where = [node["target"] for node in found["nodes"]][:3]
                    print(f"{look} {name}: {found['impact']} {found['id']} {where}")
                    grave += found["impact"] in GRAVE
                reached = by_keyboard(page)
                if reached:
                    print(f"{look} {name}: not reached by keyboard: {reached}")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    print(f"{look} {name}: {wide} pixels too wide")
            context.close()
        browser.close()
    print(f"{grave} serious or worse on {len(PAGES) * len(LOOKS)} pages; {rules} rules were kept")


def come_in(page: Any, base: str) -> None:
    """By keyboard alone."""
    page.goto(f"{base}/pin")
    while page.evaluate("document.activeElement.id") != "pin":
        page.keyboard.press("Tab")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/")


def by_keyboard(page: Any) -> list[str]:
    """Links, buttons and fields that Tab does not reach."""
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    count = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll(
            "a[href], button, input:not([type=hidden]), select, textarea, summary")];
          all.forEach((each, number) => { each.dataset.number = number; });
          return all.length;
        }"""
    )
    reached = set()
    for _ in range(count + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.number"))
    return [str(number) for number in range(count) if str(number) not in reached]


def save(png: bytes, file: Path) -> None:
    """In few colours: a picture has at most 60 KB."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(64)
    picture.save(file, optimize=True)
    assert file.stat().st_size <= 60_000, f"{file}: {file.stat().st_size} bytes"


if __name__ == "__main__":
    main()
