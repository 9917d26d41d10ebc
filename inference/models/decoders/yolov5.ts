import { predictions } from '../outputs.ts';
import { indexOfLargest } from './best-class.ts';
import { Candidates } from './candidates.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';

/**
 * `[1, rows, 5 + classes]`: centre and size in input pixels, how sure it is that there is an object, and of each class if
 * there is. The score is their product; a row stands for its best class. So do YOLOX's decoded rows.
 */
export const decodeYolov5: Decoder = (outputs, { threshold }) => {
  const needs = '[1, rows, 5 + classes]';
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  if (columns < 6) throw misfit(output, needs);
  const found = new Candidates();
  for (let row = 0; row < rows; row += 1) {
    const at = row * columns;
    // Both are probabilities, so the product is no larger: most rows end here.
    if (!((data[at + 4] ?? NaN) >= threshold)) continue;
    const classId = indexOfLargest(data, at + 5, columns - 5);
    const score = Math.fround((data[at + 4] ?? NaN) * (data[at + 5 + classId] ?? NaN));
    if (classId < 0 || !(score >= threshold)) continue;
    const [cx = NaN, cy = NaN, width = NaN, height = NaN] = data.subarray(at, at + 4);
    found.pushCentred(cx, cy, width, height, score, classId);
  }
  return found;
};
