import { NANODET_BINS, NANODET_STRIDES, cells } from '../grid.ts';
import { predictions } from '../outputs.ts';
import { indexOfLargest } from './scores.ts';
import { Candidates, type Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';

/**
 * NanoDet-Plus: `[1, cells, classes + 4 * 8]` over grids of strides 8, 16, 32 and 64, each row by row. After the class
 * scores come, for left, top, right and bottom, logits of a distribution over 0 to 7 strides; its mean is the distance
 * from the cell's corner.
 */
export const decodeNanodet: Decoder = (outputs, { input, threshold }) => {
  const sides = 4 * NANODET_BINS;
  const needs = `[1, ${cells(input, NANODET_STRIDES)}, classes + ${sides}]`;
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  const classes = columns - sides;
  if (rows !== cells(input, NANODET_STRIDES) || classes < 1) throw misfit(output, needs);
  const found = new Candidates();
  let at = 0;
  for (const stride of NANODET_STRIDES) {
    const [across, down] = [Math.ceil(input.width / stride), Math.ceil(input.height / stride)];
    for (let y = 0; y < down; y += 1) {
      for (let x = 0; x < across; x += 1, at += columns) {
        const classId = indexOfLargest(data, at, classes);
        const score = data[at + classId] ?? NaN;
        if (classId < 0 || !(score >= threshold)) continue;
        const distance = (side: number): number => mean(data, at + classes + side * NANODET_BINS) * stride;
        found.push(
          x * stride - distance(0),
          y * stride - distance(1),
          x * stride + distance(2),
          y * stride + distance(3),
          score,
          classId,
        );
      }
    }
  }
  return found;
};

/** Answers the mean of the distribution over the bins whose logits begin at `start`. */
function mean(data: Float32Array, start: number): number {
  let largest = -Infinity;
  for (let bin = 0; bin < NANODET_BINS; bin += 1) largest = Math.max(largest, data[start + bin] ?? NaN);
  let sum = 0;
  let weighted = 0;
  for (let bin = 0; bin < NANODET_BINS; bin += 1) {
    const power = Math.exp((data[start + bin] ?? NaN) - largest);
    sum += power;
    weighted += power * bin;
  }
  return weighted / sum;
}
