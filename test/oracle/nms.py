"""Golden cases of greedy per-class NMS, from OpenCV: `python test/oracle/nms.py > test/oracle/nms.json` (opencv-python 5)."""

import json
import random

import cv2

random.seed(5)
cases = []
for count, classes, iou in [(40, 1, 0.45), (60, 3, 0.45), (60, 2, 0.2), (60, 2, 0.7), (30, 1, 0.0), (50, 5, 0.5)]:
    boxes = [[random.randrange(160), random.randrange(160), random.randrange(4, 90), random.randrange(4, 90)] for _ in range(count)]
    # Parts of 1024 are exact in 32 bits; no two are equal.
    scores = [value / 1024 for value in random.sample(range(1024), count)]
    labels = [random.randrange(classes) for _ in range(count)]
    kept = cv2.dnn.NMSBoxesBatched(boxes, scores, labels, 0.25, iou)
    best_first = sorted((int(index) for index in kept), key=lambda index: -scores[index])
    cases.append({"iou": iou, "boxes": boxes, "scores": scores, "classes": labels, "kept": best_first})
print(json.dumps({"opencv": cv2.__version__, "cases": cases}))
