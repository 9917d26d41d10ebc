import type { Placement } from '../../preprocess/placement.ts';
import type { Box } from '../../common/results.ts';
import type { Candidates } from './decoder.ts';

export interface SelectOptions {
  /** Boxes that overlap a better one of their class by more than this are dropped; null where the model has done so. */
  readonly iou: number | null;
  /** How many of the best candidates are considered. */
  readonly candidates: number;
  readonly max: number;
  /** The wanted classes; null for all. */
  readonly classes: ReadonlySet<number> | null;
  readonly image: { readonly width: number; readonly height: number };
  /** Where the image lies in the candidates' frame; null where that is the image itself. */
  readonly placement: Placement | null;
}

export interface Selected {
  readonly box: Box;
  readonly score: number;
  readonly classId: number;
}

/**
 * Answers the best candidates, best first, equal ones in the model's order. NMS is greedy and per class, over the
 * boxes as the model gave them; afterwards boxes are converted into the image's pixels and clipped, and those without
 * area are dropped.
 */
export function select(candidates: Candidates, options: SelectOptions): Selected[] {
  const { corners, scores, classes } = candidates;
  const order = Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const kept = new Map<number, KeptBoxes>();
  const results: Selected[] = [];
  for (const index of order.slice(0, options.candidates)) {
    if (results.length >= options.max) break;
    const classId = classes[index] ?? 0;
    if (options.classes !== null && !options.classes.has(classId)) continue;
    if (options.iou !== null) {
      const better = kept.get(classId) ?? new KeptBoxes();
      if (!better.add(corners, index * 4, options.iou)) continue;
      kept.set(classId, better);
    }
    const box = inImage(corners, index, options);
    if (box[2] > box[0] && box[3] > box[1]) results.push({ box, score: scores[index] ?? 0, classId });
  }
  return results;
}

/** The boxes of one class that stay, in one block of memory, since every further box is compared with all of them. */
class KeptBoxes {
  #boxes = new Float64Array(256);
  #end = 0;

  /** Adds the box at `at`, unless its intersection over union with an earlier one is above `limit`. */
  add(corners: readonly number[], at: number, limit: number): boolean {
    const boxes = this.#boxes;
    const end = this.#end;
    const x1 = corners[at] ?? 0;
    const y1 = corners[at + 1] ?? 0;
    const x2 = corners[at + 2] ?? 0;
    const y2 = corners[at + 3] ?? 0;
    const area = (x2 - x1) * (y2 - y1);
    for (let from = 0; from < end; from += 4) {
      const left = boxes[from] ?? 0;
      const top = boxes[from + 1] ?? 0;
      const right = boxes[from + 2] ?? 0;
      const bottom = boxes[from + 3] ?? 0;
      if (left >= x2 || right <= x1 || top >= y2 || bottom <= y1) continue;
      const width = Math.min(x2, right) - Math.max(x1, left);
      const height = Math.min(y2, bottom) - Math.max(y1, top);
      const shared = width * height;
      if (shared / (area + (right - left) * (bottom - top) - shared) > limit) return false;
    }
    if (end === boxes.length) {
      this.#boxes = new Float64Array(end * 2);
      this.#boxes.set(boxes);
    }
    this.#boxes.set([x1, y1, x2, y2], end);
    this.#end += 4;
    return true;
  }
}

function inImage(corners: readonly number[], index: number, { image, placement }: SelectOptions): Box {
  const at = index * 4;
  const x = (value: number): number =>
    clip(placement === null ? value : (value - placement.offsetX) / placement.scaleX, image.width);
  const y = (value: number): number =>
    clip(placement === null ? value : (value - placement.offsetY) / placement.scaleY, image.height);
  return [x(corners[at] ?? 0), y(corners[at + 1] ?? 0), x(corners[at + 2] ?? 0), y(corners[at + 3] ?? 0)];
}

export function clip(value: number, limit: number): number {
  return Math.min(Math.max(value, 0), limit);
}
