import { detsLabels, predBoxesLogits } from '../outputs.ts';
import { Candidates } from './candidates.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';
import { pushQuery } from './queries.ts';

/**
 * RF-DETR: `dets [1, n, 4]` as fractions of the input, `labels [1, n, classes]` as logits. Every pair of query and class is a
 * candidate with the sigmoid for its score, one query may stand for several; the best n pairs count.
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
