"""The only room that imports heavy libraries. `protocols` is what the other rooms see."""

import os

# Before onnxruntime is imported: from 1.31 its wheels report to Microsoft by default, also on
# Linux, and keep a device id and a queue of events in ~/.cache. Set, it starts none of that.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
