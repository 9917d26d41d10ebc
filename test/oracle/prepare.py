"""Holds the preprocessor against native OpenCV and numpy.

    pip install opencv-python-headless numpy
    npm run build && npx esbuild test/oracle/prepare.ts --bundle --platform=node --format=esm --packages=external \\
      --outfile=.tmp/prepare.mjs && python test/oracle/prepare.py

With --golden it writes test/inference/preprocess/normalised.json, what numpy makes of every 8-bit sample.

Last run: cv2 5.0.0 (x86-64, with its optimised code), numpy 2.4.6: 2952 cases, 0 differ.
"""

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

rng = np.random.default_rng(5)

SIZES = [(640, 640), (320, 320), (416, 416), (1, 1), (7, 5), (1024, 768), (100, 60), (64, 64)]
SOURCES = [
    (1920, 1080), (1366, 768), (1280, 1280), (641, 643), (640, 640), (1920, 1920), (300, 200), (1000, 200),
    (200, 1000), (1, 1), (2, 1), (3, 2), (4, 4), (1, 500), (500, 1), (147, 147), (128, 128), (700, 500),
]
NORMALISATIONS = [
    ([1.0], [0.0], [1.0]),
    ([1 / 255], [0.0], [1.0]),
    ([1 / 255], [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ([1.0], [103.53, 116.28, 123.675], [57.375, 57.12, 58.395]),
    ([2 / 255], [1.0], [1.0]),
]


def image(width, height, channels, bits, kind):
    top = 2**bits - 1
    shape = (height, width, channels)
    if kind == 0:
        return rng.integers(0, top + 1, shape).astype(np.uint8 if bits == 8 else np.uint16)
    if kind == 1:
        return (rng.integers(0, 2, shape) * top).astype(np.uint8 if bits == 8 else np.uint16)
    x = np.arange(width)[None, :, None] + 2 * np.arange(height)[:, None, None] + 37 * np.arange(channels)
    return (x * top // x.max() if x.max() else x).astype(np.uint8 if bits == 8 else np.uint16)


def spread(values, channels):
    return np.array([values[i % len(values)] for i in range(channels)], np.float32)


def normalise(values, scale, mean, std, datatype):
    with np.errstate(over="ignore"):
        out = (values.astype(np.float32) * scale - mean) / std
        if datatype == "FP16":
            return out.astype(np.float16)
    return np.clip(np.rint(out), 0, 255).astype(np.uint8) if datatype == "UINT8" else out


def prepared(source, spec):
    """What a user of cv2 and numpy would write."""
    channels = spec["channels"]
    if spec["color"] == "bgr" and channels == 3:
        source = source[:, :, ::-1]
    if spec["color"] == "bgr" and channels == 4:
        source = source[:, :, [2, 1, 0, 3]]
    source = np.ascontiguousarray(source)
    height, width = source.shape[:2]
    to = (spec["width"], spec["height"])
    if spec["fit"] == "letterbox":
        ratio = min(to[0] / width, to[1] / height)
        inner = (max(1, round(width * ratio)), max(1, round(height * ratio)))
        left, top = ((to[0] - inner[0]) // 2, (to[1] - inner[1]) // 2) if spec["align"] == "center" else (0, 0)
        canvas = np.full((to[1], to[0], channels), spec["pad"], source.dtype)
        resized = cv2.resize(source, inner, interpolation=cv2.INTER_AREA).reshape(inner[1], inner[0], channels)
        canvas[top : top + inner[1], left : left + inner[0]] = resized
    else:
        canvas = cv2.resize(source, to, interpolation=cv2.INTER_AREA).reshape(to[1], to[0], channels)
    scale, mean, std = (np.array(spec[name], np.float32) for name in ("scale", "mean", "std"))
    return np.ascontiguousarray(normalise(canvas, scale, mean, std, spec["datatype"]).transpose(2, 0, 1)[None])


def golden():
    rows = []
    for scale, mean, std in NORMALISATIONS[2:]:
        samples = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, 1)
        args = [spread(v, 3) for v in (scale, mean, std)]
        rows.append({
            "scale": (scale * 3)[:3],
            "mean": (mean * 3)[:3],
            "std": (std * 3)[:3],
            **{
                t: base64.b64encode(np.ascontiguousarray(normalise(samples, *args, t).T).tobytes()).decode()
                for t in ("FP32", "FP16", "UINT8")
            },
        })
    Path("test/inference/preprocess/normalised.json").write_text(json.dumps(rows, indent=1) + "\n")


def main():
    cases, wanted = [], []
    with tempfile.TemporaryDirectory() as folder:

        def add(source, want, **case):
            height, width, channels = source.shape
            bits = 8 * source.dtype.itemsize
            Path(folder, f"{len(cases)}.in").write_bytes(source.tobytes())
            cases.append({"width": width, "height": height, "channels": channels, "bits": bits, **case})
            wanted.append(want.tobytes())

        for number, (width, height) in enumerate(SOURCES):
            for at, to in enumerate(SIZES):
                for channels in (1, 2, 3, 4):
                    for bits in (8, 16):
                        source = image(width, height, channels, bits, (number + at + channels) % 3)
                        add(source, cv2.resize(source, to, interpolation=cv2.INTER_AREA), resize=to)
        for _ in range(1500):
            most = int(rng.choice([12, 150]))
            width, height, *to = (int(n) for n in rng.integers(1, most, 4))
            source = image(width, height, int(rng.integers(1, 5)), int(rng.choice([8, 16])), int(rng.integers(0, 3)))
            add(source, cv2.resize(source, to, interpolation=cv2.INTER_AREA), resize=to)
        for _ in range(300):
            width, height, *to = (int(n) for n in rng.integers(1, 200, 4))
            channels, bits = int(rng.integers(1, 5)), int(rng.choice([8, 8, 16]))
            scale, mean, std = NORMALISATIONS[rng.integers(len(NORMALISATIONS))]
            spec = {
                "width": to[0], "height": to[1], "channels": channels, "read": "unchanged",
                "datatype": str(rng.choice(["FP32", "FP16", "UINT8"])), "color": str(rng.choice(["bgr", "rgb"])),
                "fit": str(rng.choice(["stretch", "letterbox"])), "align": str(rng.choice(["center", "top-left"])),
                "pad": 114,
                **{n: spread(v, channels).astype(float).tolist() for n, v in (("scale", scale), ("mean", mean), ("std", std))},
            }
            source = image(width, height, channels, bits, int(rng.integers(0, 3)))
            add(source, prepared(source, spec), input=spec)

        Path(folder, "cases.json").write_text(json.dumps(cases))
        subprocess.run(["node", ".tmp/prepare.mjs", folder], check=True)
        differing = 0
        for number, (case, want) in enumerate(zip(cases, wanted)):
            if Path(folder, f"{number}.out").read_bytes() != want:
                differing += 1
                print("differs:", json.dumps(case))
        print(f"cv2 {cv2.__version__}, numpy {np.__version__}: {len(cases)} cases, {differing} differ")
        sys.exit(differing > 0)


if "--golden" in sys.argv:
    golden()
else:
    main()
