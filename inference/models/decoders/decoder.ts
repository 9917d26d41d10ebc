import type { Tensor } from '../../common/tensor.ts';
import type { ModelSpec } from '../model-spec.ts';

export interface DecodeOptions {
  readonly spec: ModelSpec;
  /** The model's input in pixels. */
  readonly input: { readonly width: number; readonly height: number };
  /** The size that boxes given as fractions are multiplied by. */
  readonly frame: { readonly width: number; readonly height: number };
  /** Candidates with a lower score are dropped. It is a 32-bit number, as the scores are. */
  readonly threshold: number;
}

/** Reads a model's answer to one image. */
export type Decoder = (outputs: readonly Tensor[], options: DecodeOptions) => Candidates;

/** The boxes that a model proposes, in the model's order. Corners are in the model's own frame. */
export class Candidates {
  readonly corners: number[] = [];
  readonly scores: number[] = [];
  readonly classes: number[] = [];

  get size(): number {
    return this.scores.length;
  }

  /** Adds a candidate, unless its box has no area, a number is not finite or the class is not an index. */
  push(x1: number, y1: number, x2: number, y2: number, score: number, classId: number): void {
    const finite = Number.isFinite(x2 - x1) && Number.isFinite(y2 - y1) && Number.isFinite(score);
    if (!finite || !(x2 > x1) || !(y2 > y1) || !isIndex(classId)) return;
    this.corners.push(x1, y1, x2, y2);
    this.scores.push(score);
    this.classes.push(classId);
  }

  /** Adds a box that is given by its centre and size. */
  pushCentred(cx: number, cy: number, width: number, height: number, score: number, classId: number): void {
    this.push(cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2, score, classId);
  }
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
