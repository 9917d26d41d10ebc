import { STRIDES, cells } from '../grid.ts';
import { predictions } from '../outputs.ts';
import type { Decoder } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';
import { decodeYolov5 } from './yolov5.ts';

/**
 * YOLOX as it is exported by default: `[1, cells, 5 + classes]` with the centre as an offset in cells from the cell's own
 * corner and the size as a logarithm of cells; grids of strides 8, 16 and 32, each row by row.
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
