"""Writes test/inference/ocr/db-golden.json: what OpenCV makes of the maps of test/inference/ocr/golden-map.ts, by the
definition of PaddleOCR's post-processing (outer contours, least rectangle, mean inside, sides moved out).

    python3 test/oracle/db_boxes.py          # needs numpy and opencv-python-headless
"""
import json
from pathlib import Path

import cv2
import numpy as np

WIDTH, HEIGHT = 200, 150


def golden_map(seed):
    state = seed

    def take(limit):
        nonlocal state
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (state >> 8) % limit

    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
    out = np.zeros((HEIGHT, WIDTH), np.float32)
    for _ in range(3 + take(4)):
        cx = 30 + take(WIDTH - 60)
        cy = 30 + take(HEIGHT - 60)
        dx = 20 + take(20)
        dy = take(15) - 7
        long, thick = 400 + take(900), 120 + take(250)
        value = (50 + take(50)) / 100
        along = (xs - cx) * dx + (ys - cy) * dy
        across = (ys - cy) * dx - (xs - cx) * dy
        ragged = ((xs * 7 + ys * 13) % 5) * 10
        out[(abs(along) <= long - ragged) & (abs(across) <= thick - ragged)] = value
    return out


def ordered(points):
    by_x = sorted(points.tolist(), key=lambda p: p[0])
    (a, b), (c, d) = by_x[:2], by_x[2:]
    top_left, bottom_left = (a, b) if b[1] > a[1] else (b, a)
    top_right, bottom_right = (c, d) if d[1] > c[1] else (d, c)
    return [top_left, top_right, bottom_right, bottom_left]


def mean_inside(pred, box):
    box = np.array(box)
    xmin, xmax = (int(np.clip(f(box[:, 0].min() if f is np.floor else box[:, 0].max()), 0, WIDTH - 1)) for f in (np.floor, np.ceil))
    ymin, ymax = (int(np.clip(f(box[:, 1].min() if f is np.floor else box[:, 1].max()), 0, HEIGHT - 1)) for f in (np.floor, np.ceil))
    mask = np.zeros((ymax - ymin + 1, xmax - xmin + 1), np.uint8)
    cv2.fillPoly(mask, [(np.trunc(box) - [xmin, ymin]).astype(np.int32)], 1)
    return cv2.mean(pred[ymin : ymax + 1, xmin : xmax + 1], mask)[0]


def regions(pred):
    contours, _ = cv2.findContours((pred > 0.3).astype(np.uint8) * 255, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        rect = cv2.minAreaRect(contour)
        if min(rect[1]) < 3:
            continue
        score = mean_inside(pred, ordered(cv2.boxPoints(rect)))
        if score < 0.6:
            continue
        w, h = rect[1]
        out = w * h * 1.5 / (2 * (w + h))
        box = ordered(cv2.boxPoints((rect[0], (w + 2 * out, h + 2 * out), rect[2])))
        found.append({"polygon": [[round(v, 3) for v in p] for p in box], "score": round(score, 4)})
    return found


cases = [{"seed": s, "width": WIDTH, "height": HEIGHT, "regions": regions(golden_map(s))} for s in range(1, 31)]
target = Path(__file__).parent.parent / "inference" / "ocr" / "db-golden.json"
target.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
print(sum(len(c["regions"]) for c in cases), "regions")
