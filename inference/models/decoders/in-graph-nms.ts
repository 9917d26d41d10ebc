import type { Tensor } from '../../common/tensor.ts';
import { countedBoxes, scoredBoxes, nmsSelection } from '../outputs.ts';
import { Candidates, type DecodeOptions, type Decoder } from './decoder.ts';
import { matrixOf, misfit, vectorOf } from './matrix.ts';

/**
 * Models that end in NMS, in one of three forms. ONNX's own operator gives rows of image, class and box, which point
 * into the boxes and scores beside them; boxes are `[y1, x1, y2, x2]` unless the graph's NonMaxSuppression takes
 * centres. Others give a count with boxes, scores and classes, or `dets` with the score in fifth place and `labels`;
 * both have boxes as `[x1, y1, x2, y2]`. All are in input pixels.
 */
export const decodeInGraphNms: Decoder = (outputs, options) => {
  const found = new Candidates();
  const counted = countedBoxes(outputs);
  const scored = scoredBoxes(outputs);
  if (counted !== null) {
    const needs = 'a count, boxes [1, n, 4], scores [1, n] and classes [1, n]';
    const boxes = matrixOf(counted.boxes, needs);
    const rows = Math.min(boxes.rows, Math.max(0, vectorOf(counted.count, 1, needs)[0] ?? 0));
    if (boxes.columns !== 4) throw misfit(counted.boxes, needs);
    const scores = vectorOf(counted.scores, rows, needs);
    const classes = vectorOf(counted.classes, rows, needs);
    for (let row = 0; row < rows; row += 1) {
      const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = boxes.data.subarray(row * 4, row * 4 + 4);
      const score = scores[row] ?? NaN;
      if (score >= options.threshold) found.push(x1, y1, x2, y2, score, Math.round(classes[row] ?? NaN));
    }
    return found;
  }
  if (scored !== null) {
    const needs = 'dets [1, n, 5] and labels [1, n]';
    const { data, rows, columns } = matrixOf(scored.boxes, needs);
    if (columns !== 5) throw misfit(scored.boxes, needs);
    const classes = vectorOf(scored.classes, rows, needs);
    for (let row = 0; row < rows; row += 1) {
      const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN, score = NaN] = data.subarray(row * 5, row * 5 + 5);
      if (score >= options.threshold) found.push(x1, y1, x2, y2, score, classes[row] ?? NaN);
    }
    return found;
  }
  gather(found, outputs, options);
  return found;
};

function gather(found: Candidates, outputs: readonly Tensor[], { spec, threshold }: DecodeOptions): void {
  const needs = 'whole numbers [n, 3] with boxes [1, rows, 4] and scores [1, classes, rows]';
  const hint = spec.hints?.nms;
  const parts = nmsSelection(outputs, hint);
  if (parts === null) throw misfit(outputs[0], needs);
  const boxes = matrixOf(parts.boxes, needs);
  const scores = matrixOf(parts.scores, needs);
  const indices = matrixOf(parts.indices, needs);
  if (boxes.columns !== 4 || scores.columns !== boxes.rows) throw misfit(parts.scores, needs);
  for (let row = 0; row < indices.rows; row += 1) {
    const [image = NaN, classId = NaN, box = NaN] = indices.data.subarray(row * 3, row * 3 + 3);
    // Outputs of a fixed length are padded with -1.
    if (image !== 0 || !(classId >= 0 && classId < scores.rows && box >= 0 && box < boxes.rows)) continue;
    const score = scores.data[classId * scores.columns + box] ?? NaN;
    if (!(score >= threshold)) continue;
    const [a = NaN, b = NaN, c = NaN, d = NaN] = boxes.data.subarray(box * 4, box * 4 + 4);
    if (hint?.format === 'cxcywh') found.pushCentred(a, b, c, d, score, classId);
    // ONNX allows any two corners that lie opposite each other.
    else found.push(Math.min(b, d), Math.min(a, c), Math.max(b, d), Math.max(a, c), score, classId);
  }
}
