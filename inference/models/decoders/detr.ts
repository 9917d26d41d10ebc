import { predBoxesLogits } from '../outputs.ts';
import { indexOfLargest } from './best-class.ts';
import { Candidates } from './candidates.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';
import { pushQuery } from './queries.ts';
import { softmax } from './softmax.ts';

/**
 * DETR and YOLOS: `logits [1, n, classes + 1]`, the last for "no object", and `pred_boxes [1, n, 4]` as fractions of the input.
 * The score is the softmax over all of them; a query stands for its best class.
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
