import { STRIDES, cells, isCellCount } from '../grid.ts';
import { predictions } from '../outputs.ts';
import { Candidates, type DecodeOptions, type Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';
import { indexOfLargest } from './scores.ts';

/**
 * YOLOv5, and YOLOX with decoded boxes: `[1, rows, 5 + classes]` with centre and size in input pixels, the probability
 * of an object, and that of each class given an object. The score is their product; a row stands for its best class.
 */
export const decodeYolov5: Decoder = (outputs, { threshold }) => {
  const needs = '[1, rows, 5 + classes]';
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  if (columns < 6) throw misfit(output, needs);
  const found = new Candidates();
  for (let row = 0; row < rows; row += 1) {
    const at = row * columns;
    // Both are probabilities, so their product is no larger. Most rows end here.
    if (!((data[at + 4] ?? NaN) >= threshold)) continue;
    const classId = indexOfLargest(data, at + 5, columns - 5);
    const score = Math.fround((data[at + 4] ?? NaN) * (data[at + 5 + classId] ?? NaN));
    if (classId < 0 || !(score >= threshold)) continue;
    const [cx = NaN, cy = NaN, width = NaN, height = NaN] = data.subarray(at, at + 4);
    found.pushCentred(cx, cy, width, height, score, classId);
  }
  return found;
};

/**
 * YOLOX as it is exported by default: `[1, cells, 5 + classes]` over grids of strides 8, 16 and 32, each row by row.
 * The centre is an offset from the cell's corner in cells, and the size a logarithm of cells.
 */
export const decodeYoloxRaw: Decoder = (outputs, options) => {
  const { input } = options;
  const needs = `[1, ${cells(input)}, 5 + classes]`;
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  if (output === null || rows !== cells(input) || columns < 6) throw misfit(output, needs);
  const decoded = Float32Array.from(data);
  let at = 0;
  for (const stride of STRIDES) {
    const [across, down] = [Math.ceil(input.width / stride), Math.ceil(input.height / stride)];
    for (let y = 0; y < down; y += 1) {
      for (let x = 0; x < across; x += 1, at += columns) {
        decoded[at] = ((data[at] ?? NaN) + x) * stride;
        decoded[at + 1] = ((data[at + 1] ?? NaN) + y) * stride;
        decoded[at + 2] = Math.exp(data[at + 2] ?? NaN) * stride;
        decoded[at + 3] = Math.exp(data[at + 3] ?? NaN) * stride;
      }
    }
  }
  return decodeYolov5(
    [{ name: output.name, datatype: 'FP32', shape: [1, rows, columns], data: decoded }],
    options,
  );
};

/**
 * YOLOv8: `[1, 4 + classes, rows]`, or that with its axes swapped, with centre and size in input pixels and a score for
 * each class. A row stands for its best class.
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
  // The loops go class by class, as the numbers lie in memory.
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

/** YOLOv10: `[1, rows, 6]` with corners in input pixels, score and class. The model has chosen the boxes itself. */
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

/** Whether the rows come first. The labels' number decides it where it fits, otherwise which size a grid could have. */
function isSwapped(first: number, second: number, { spec, input }: DecodeOptions): boolean {
  const fields = spec.labels === null ? -1 : 4 + spec.labels.length;
  if (first === fields || second === fields) return first !== fields;
  return isCellCount(first, input) && !isCellCount(second, input);
}
