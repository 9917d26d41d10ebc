import { predictions } from '../outputs.ts';
import { Candidates } from './candidates.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';

/** `[1, rows, 6]`: corners in input pixels, score, class; the model has chosen already. */
export const decodeYolov10: Decoder = (outputs, { threshold }) => {
  const needs = '[1, rows, 6]';
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  if (columns !== 6) throw misfit(output, needs);
  const found = new Candidates();
  for (let row = 0; row < rows; row += 1) {
    const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN, score = NaN, classId = NaN] = data.subarray(
      row * 6,
      row * 6 + 6,
    );
    if (score >= threshold) found.push(x1, y1, x2, y2, score, Math.round(classId));
  }
  return found;
};
