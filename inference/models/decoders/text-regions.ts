import { decodeDb } from '../../ocr/db.ts';
import type { Detection, TextLine } from '../../common/results.ts';
import type { Tensor } from '../../common/tensor.ts';
import { probabilityMap } from '../outputs.ts';
import type { RunContext } from '../extra-inputs.ts';
import type { DecodeOptions } from './decoder.ts';
import { floatsOf, misfit } from './matrix.ts';
import { clip } from './select.ts';

/**
 * Decodes PP-OCR's detector: `[1, 1, height, width]`, the probability of text at each place of the input. Each region
 * becomes a detection and a line without text; detections come best first, lines from the top.
 */
export function decodeTextRegions(
  outputs: readonly Tensor[],
  { input, threshold }: DecodeOptions,
  { image, placement }: RunContext,
  max: number,
): { detections: Detection[]; lines: TextLine[] } {
  const needs = '[1, 1, height, width]';
  const output = probabilityMap(outputs);
  const [images = 0, channels = 0, height = 0, width = 0] = output?.shape ?? [];
  const map = output === null ? new Float32Array(0) : floatsOf(output);
  if (output?.shape.length !== 4 || channels !== 1 || map.length !== images * height * width)
    throw misfit(output, needs);
  const regions = decodeDb(map.subarray(0, height * width), width, height, { boxThreshold: threshold });
  const lines = regions.flatMap(({ polygon, score }): TextLine[] => {
    const corners = polygon.map(([x, y]): readonly [number, number] => [
      clip(((x * input.width) / width - placement.offsetX) / placement.scaleX, image.width),
      clip(((y * input.height) / height - placement.offsetY) / placement.scaleY, image.height),
    ]);
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
    return box[2] > box[0] && box[3] > box[1] ? [{ text: '', score, box, polygon: corners }] : [];
  });
  const best = lines.toSorted((a, b) => b.score - a.score).slice(0, max);
  return {
    detections: best.map(({ box, score }) => ({ box, label: 'text', class_id: 0, score })),
    lines: lines.filter((line) => best.includes(line)),
  };
}
