import { decodeCtc } from '../../ocr/ctc.ts';
import type { TextLine } from '../../common/results.ts';
import type { Tensor } from '../../common/tensor.ts';
import { predictions } from '../outputs.ts';
import type { RunContext } from '../extra-inputs.ts';
import type { DecodeOptions } from './decoder.ts';
import { matrixOf, misfit } from './matrix.ts';
import { isDistribution, softmax } from './scores.ts';

/**
 * Decodes PP-OCR's recogniser: `[1, steps, classes]`, where the blank is the first class and each character is one; a
 * further one is the space. The whole image is one line; there is none where nothing is read.
 */
export function decodeTextLine(
  outputs: readonly Tensor[],
  { spec, threshold }: DecodeOptions,
  { image }: RunContext,
): TextLine[] {
  const labels = spec.labels ?? [];
  const needs = `[1, steps, ${labels.length + 1} or ${labels.length + 2} classes]`;
  const output = predictions(outputs);
  const { data, rows, columns } = matrixOf(output, needs);
  // A list of characters may begin with the blank.
  const keys = columns === labels.length ? labels.slice(1) : labels;
  if (columns < keys.length + 1 || columns > keys.length + 2) throw misfit(output, needs);
  const row = (step: number): Float32Array => data.subarray(step * columns, (step + 1) * columns);
  const probabilities = rows > 0 && isDistribution(row(0)) ? data : new Float32Array(data.length);
  if (probabilities !== data)
    for (let step = 0; step < rows; step += 1) probabilities.set(softmax(row(step)), step * columns);
  const { text, score } = decodeCtc(probabilities, rows, columns, keys);
  if (text === '' || !(score >= threshold)) return [];
  const { width, height } = image;
  const polygon = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return [{ text, score, box: [0, 0, width, height], polygon }];
}
