import type { Candidates } from './candidates.ts';
import type { DecodeOptions } from './decoder.ts';
import type { Matrix } from './matrix.ts';

/** A query's box: centre and size as fractions of the input. */
export function pushQuery(
  found: Candidates,
  boxes: Matrix,
  query: number,
  { width, height }: DecodeOptions['frame'],
  score: number,
  classId: number,
): void {
  const [cx = NaN, cy = NaN, w = NaN, h = NaN] = boxes.data.subarray(query * 4, query * 4 + 4);
  found.pushCentred(cx * width, cy * height, w * width, h * height, score, classId);
}
