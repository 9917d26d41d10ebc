import { isCellCount } from '../grid.ts';
import { predictions } from '../outputs.ts';
import { Candidates } from './candidates.ts';
import type { DecodeOptions, Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';

/**
 * `[1, 4 + classes, rows]`: centre and size in input pixels, then a score for each class; or the same with its axes swapped.
 * A row stands for its best class.
 */
export const decodeYolov8: Decoder = (outputs, options) => {
  const needs = '[1, 4 + classes, rows]';
  const output = predictions(outputs);
  const { data, rows: first, columns: second } = matrixOf(output, needs);
  const swapped = isSwapped(first, second, options);
  const [fields, rows] = swapped ? [second, first] : [first, second];
  const [fieldStep, rowStep] = swapped ? [1, second] : [second, 1];
  if (fields < 5) throw misfit(output, needs);
  const scores = new Float32Array(rows).fill(-Infinity);
  const classes = new Int32Array(rows).fill(-1);
  // Class by class, as the numbers lie in memory.
  for (let field = 4; field < fields; field += 1) {
    for (let row = 0; row < rows; row += 1) {
      const score = data[field * fieldStep + row * rowStep] ?? NaN;
      if (score > (scores[row] ?? 0)) {
        scores[row] = score;
        classes[row] = field - 4;
      }
    }
  }
  const found = new Candidates();
  for (let row = 0; row < rows; row += 1) {
    const score = scores[row] ?? NaN;
    if (!(score >= options.threshold)) continue;
    const at = (field: number): number => data[field * fieldStep + row * rowStep] ?? NaN;
    found.pushCentred(at(0), at(1), at(2), at(3), score, classes[row] ?? -1);
  }
  return found;
};

/** Whether the rows come first: where the names tell the number of classes, by that, else by what a grid could have. */
function isSwapped(first: number, second: number, { spec, input }: DecodeOptions): boolean {
  const fields = spec.labels === null ? -1 : 4 + spec.labels.length;
  if (first === fields || second === fields) return first !== fields;
  return isCellCount(first, input) && !isCellCount(second, input);
}
