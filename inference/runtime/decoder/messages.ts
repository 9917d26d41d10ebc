import type { DecodedImage, DecodeOptions } from '../../images/decode-image.ts';
import type { PlainError, SealedImage } from '../worker/messages.ts';

/** `end` comes after what was sent before it. */
export type ToDecoder =
  | {
      readonly type: 'decode';
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly options: Omit<DecodeOptions, 'signal'>;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'end' };

/** An image and its size before a shrinking decode. */
export interface Decoded extends Pick<DecodedImage, 'original'> {
  readonly image: SealedImage;
}

export type FromDecoder =
  | { readonly type: 'done'; readonly id: number; readonly decoded: Decoded }
  | { readonly type: 'failed'; readonly id: number; readonly error: PlainError };
