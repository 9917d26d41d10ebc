import type { Tensor } from '../../common/tensor.ts';
import type { ModelSpec } from '../model-spec.ts';
import type { Candidates } from './candidates.ts';

export interface DecodeOptions {
  readonly spec: ModelSpec;
  /** The model's input in pixels. */
  readonly input: { readonly width: number; readonly height: number };
  /** The frame that boxes of a fraction of the image are put into. */
  readonly frame: { readonly width: number; readonly height: number };
  /** Candidates below it are not wanted. A 32-bit number, as the scores are. */
  readonly threshold: number;
}

/** Reads a model's answer to one image. */
export type Decoder = (outputs: readonly Tensor[], options: DecodeOptions) => Candidates;
