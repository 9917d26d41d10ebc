import { detsLabels, labelsBoxesScores, predBoxesLogits } from '../outputs.ts';
import { Candidates, type DecodeOptions, type Decoder } from './decoder.ts';
import { type Matrix, matrixOf, misfit, vectorOf } from './matrix.ts';
import { indexOfLargest, softmax } from './scores.ts';

/**
 * DETR and YOLOS: `logits [1, n, classes + 1]`, where the last class is "no object", and `pred_boxes [1, n, 4]` as
 * fractions of the input. The score is the softmax over all classes; a query stands for its best class.
 */
export const decodeDetr: Decoder = (outputs, { frame, threshold }) => {
  const needs = 'logits [1, n, classes + 1] and pred_boxes [1, n, 4]';
  const parts = predBoxesLogits(outputs);
  if (parts === null) throw misfit(outputs[0], needs);
  const boxes = matrixOf(parts.boxes, needs);
  const { data, rows, columns } = matrixOf(parts.logits, needs);
  if (boxes.columns !== 4 || boxes.rows !== rows || columns < 2) throw misfit(parts.boxes, needs);
  const found = new Candidates();
  for (let query = 0; query < rows; query += 1) {
    const probabilities = softmax(data.subarray(query * columns, (query + 1) * columns));
    const classId = indexOfLargest(probabilities, 0, columns - 1);
    const score = probabilities[classId] ?? NaN;
    if (score >= threshold) pushQuery(found, boxes, query, frame, score, classId);
  }
  return found;
};

/**
 * RF-DETR: `dets [1, n, 4]` as fractions of the input, and `labels [1, n, classes]` as logits. Every pair of query and
 * class is a candidate whose score is the sigmoid, so a query may stand for several classes; the best n pairs count.
 */
export const decodeRfdetr: Decoder = (outputs, { frame, threshold }) => {
  const needs = 'dets [1, n, 4] and labels [1, n, classes]';
  const parts = detsLabels(outputs) ?? predBoxesLogits(outputs);
  if (parts === null) throw misfit(outputs[0], needs);
  const boxes = matrixOf(parts.boxes, needs);
  const { data, rows, columns } = matrixOf(parts.logits, needs);
  if (boxes.columns !== 4 || boxes.rows !== rows) throw misfit(parts.boxes, needs);
  const found = new Candidates();
  for (let at = 0; at < rows * columns; at += 1) {
    const score = Math.fround(1 / (1 + Math.exp(-(data[at] ?? NaN))));
    if (score >= threshold) pushQuery(found, boxes, Math.floor(at / columns), frame, score, at % columns);
  }
  return found;
};

/**
 * RT-DETR and D-FINE: `labels [1, n]`, `scores [1, n]`, and `boxes [1, n, 4]` as corners in the size that was asked
 * for.
 */
export const decodeRtdetr: Decoder = (outputs, { threshold }) => {
  const needs = 'labels [1, n], boxes [1, n, 4] and scores [1, n]';
  const parts = labelsBoxesScores(outputs);
  if (parts === null) throw misfit(outputs[0], needs);
  const { data, rows, columns } = matrixOf(parts.boxes, needs);
  if (columns !== 4) throw misfit(parts.boxes, needs);
  const scores = vectorOf(parts.scores, rows, needs);
  const labels = vectorOf(parts.labels, rows, needs);
  const found = new Candidates();
  for (let row = 0; row < rows; row += 1) {
    const score = scores[row] ?? NaN;
    const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = data.subarray(row * 4, row * 4 + 4);
    if (score >= threshold) found.push(x1, y1, x2, y2, score, Math.round(labels[row] ?? NaN));
  }
  return found;
};

/** Adds a query's box, which is given by its centre and size as fractions of the input. */
function pushQuery(
  found: Candidates,
  boxes: Matrix,
  query: number,
  { width, height }: DecodeOptions['frame'],
  score: number,
  classId: number,
): void {
  const [cx = NaN, cy = NaN, w = NaN, h = NaN] = boxes.data.subarray(query * 4, query * 4 + 4);
  found.pushCentred(cx * width, cy * height, w * width, h * height, score, classId);
}
