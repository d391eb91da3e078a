"""Pictures in, readings out."""

import os

# ONNX Runtime reads it as it is loaded, which only modules of this package do. Otherwise it keeps a file of events in the user's cache
# folder and sends them to its makers, or warns where it cannot: what is read, and when, is nobody else's business.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
