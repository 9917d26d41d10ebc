"""The same work as `POST /analyze?output=stats`, in the usual Python way: FastAPI, uvicorn, OpenCV, onnxruntime.

Needs fastapi, uvicorn[standard], python-multipart, opencv-python-headless, numpy, onnxruntime.
PEER_MODEL: the ONNX file; PEER_THREADS: intra-op threads of a run.
"""
import os

import cv2
import numpy as np
import onnxruntime
from fastapi import FastAPI, File, HTTPException, UploadFile

cv2.setNumThreads(1)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(os.environ["PEER_THREADS"])
options.inter_op_num_threads = 1
options.add_session_config_entry("session.intra_op.allow_spinning", os.environ.get("PEER_SPINNING", "0"))
session = onnxruntime.InferenceSession(os.environ["PEER_MODEL"], options, providers=["CPUExecutionProvider"])
input_name = session.get_inputs()[0].name
output_names = [output.name for output in session.get_outputs()]

app = FastAPI()


@app.get("/health")
def health():
    return {"status": "ok"}


# Not async: FastAPI then runs it on its thread pool, and decode, resize and run, which release the GIL, overlap.
@app.post("/analyze")
def analyze(file: UploadFile = File(...)):
    image = cv2.imdecode(np.frombuffer(file.file.read(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise HTTPException(400, "not an image")
    height, width = image.shape[:2]
    small = cv2.resize(image, (640, 640), interpolation=cv2.INTER_AREA)
    batch = small.astype(np.float32).transpose(2, 0, 1)[None]
    outputs = session.run(output_names, {input_name: np.ascontiguousarray(batch)})
    return {
        "image": {"width": width, "height": height},
        "outputs": [
            {
                "name": name,
                "shape": list(output.shape),
                "min": float(output.min()),
                "max": float(output.max()),
                "mean": float(output.mean()),
            }
            for name, output in zip(output_names, outputs)
        ],
    }
