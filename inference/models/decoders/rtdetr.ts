import { labelsBoxesScores } from '../outputs.ts';
import { Candidates } from './candidates.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit, vectorOf } from './matrix.ts';

/** RT-DETR and D-FINE: `labels [1, n]`, `boxes [1, n, 4]` as corners in the size they were asked for, `scores [1, n]`. */
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
