"""cv2's side of bench/resize: for each line of JSON on standard input, the same work and its times in milliseconds."""

import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(int(sys.argv[1]))
images = {}
for line in sys.stdin:
    case = json.loads(line)
    key = (case["height"], case["width"], case["channels"])
    if key not in images:
        images[key] = np.random.default_rng(1).integers(0, 256, key, dtype=np.uint8)
    resize, prepare = [], []
    for _ in range(case["times"]):
        start = time.perf_counter()
        small = cv2.resize(images[key], (case["targetWidth"], case["targetHeight"]), interpolation=cv2.INTER_AREA)
        middle = time.perf_counter()
        small = small.reshape(case["targetHeight"], case["targetWidth"], case["channels"])
        np.ascontiguousarray(small.astype(np.float32).transpose(2, 0, 1)[None])
        resize.append((middle - start) * 1000)
        prepare.append((time.perf_counter() - start) * 1000)
    print(json.dumps({"version": cv2.__version__, "resize": resize, "prepare": prepare}), flush=True)
