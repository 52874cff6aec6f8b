"""The only room that imports heavy libraries. `protocols` is what the other rooms see."""

import os

# Before onnxruntime is imported: from 1.31 its wheels report to Microsoft by default, also on
# Linux, and keep a device id and a queue of events in ~/.cache. Set, it starts none of that.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Before huggingface_hub is imported (by faster-whisper, sentence-transformers): models are files
# on this disk, and nobody is told that they are used. `weights/` fetches, with code of its own.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
