"""See to it that the installed llama.cpp can use this machine's GPU; build it anew where not.

    python scripts/proof_build.py [--as-it-is]

Prints a JSON object: `how` (`as installed` or `built`), `backends`, `gpus`, `features`, `seconds`,
and `ready`, 0 where this machine has a GPU that llama.cpp does not find. The build is that of
scripts/setup: a kept wheel takes seconds, compiling half an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from jetson_release import release

ROOT = Path(__file__).resolve().parent.parent
DEVICES = (Path("/dev/nvidia0"), Path("/dev/nvhost-gpu"), Path("/dev/nvgpu"))
NVCC = Path("/usr/local/cuda/bin/nvcc")

_LOOK = """
import json
import llama_cpp
from companion.engines.llama import library
from companion.engines.llama.devices import gpu_backends, gpus
found = [{"name": each.name, "free": each.free} for each in gpus()]
features = llama_cpp.llama_print_system_info().decode().strip(" |")
print(json.dumps({"backends": gpu_backends(), "gpus": found, "features": features}))
"""


def look() -> dict[str, Any]:
    """What the installed llama.cpp finds, in a process of its own: whoever looks wakes the driver,
    which then holds memory. Empty where it does not run at all."""
    done = subprocess.run(
        [sys.executable, "-c", _LOOK], capture_output=True, text=True, check=False, cwd=ROOT
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        why = done.stderr.strip().rpartition("\n")[2]
        return {"backends": [], "gpus": [], "features": f"does not run: {why}"}
    return found


def has_gpu() -> bool:
    """Whether this machine has a GPU of NVIDIA's, whatever llama.cpp thinks of it."""
    return release() is not None or any(device.exists() for device in DEVICES)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--as-it-is", action="store_true", help="build nothing")
    asked = parser.parse_args()
    began = time.monotonic()
    found, how = look(), "as installed"
    wanted = has_gpu()
    if wanted and not found["gpus"] and not asked.as_it_is:
        how = "built"
        environment = dict(os.environ)
        if release() is None and (shutil.which("nvcc") or NVCC.exists()):
            own = "-DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native"
            environment.setdefault("CMAKE_ARGS", own)
        command = [sys.executable, str(ROOT / "scripts" / "install_llama.py")]
        subprocess.run(command, env=environment, check=False, stdout=sys.stderr)
        found = look()
    ready = bool(found["gpus"]) or not wanted
    seconds = round(time.monotonic() - began, 1)
    print(json.dumps({"how": how, **found, "ready": int(ready), "seconds": seconds}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
