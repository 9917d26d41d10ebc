import { decodeImage, type Inference, InferenceError } from '@steadyhand/inference';
import { PictureUnreadableError, ProviderOverloadedError, type TextRecognizer } from '@steadyhand/messages';

/** The model that reads text. */
export const MODEL = 'ocr';

/** A text recognizer for scripts that uses the inference service. */
export function createScreenReader(
  inference: Pick<Inference, 'analyze' | 'model'>,
): Required<TextRecognizer> {
  return {
    read: (bytes, { signal } = {}) =>
      withProviderErrors(inference, async () => {
        const given = signal === undefined ? {} : { signal };
        const { lines } = await inference.analyze({ bytes, model: MODEL, ...given });
        return lines ?? [];
      }),
    pixels: decodedPixels,
  };
}

/** The pixels of a picture. */
export const decodedPixels: Required<TextRecognizer>['pixels'] = async (bytes, { signal } = {}) => {
  const given = signal === undefined ? {} : { signal };
  return withProviderErrors(undefined, () => decodeImage(bytes, { read: 'color', ...given }));
};

/** A screen reader that is created before the image models; it is busy until `open` gives it the one that uses them. */
export function deferredScreenReader(): {
  readonly recognizer: TextRecognizer;
  open(reader: Required<TextRecognizer>): void;
} {
  let reader: Required<TextRecognizer> | undefined;
  const present = (): Required<TextRecognizer> => {
    if (reader === undefined) throw new ProviderOverloadedError('the screen cannot be read yet');
    return reader;
  };
  return {
    recognizer: {
      read: async (bytes, options) => present().read(bytes, options),
      pixels: async (bytes, options) => present().pixels(bytes, options),
    },
    open: (opened) => {
      reader = opened;
    },
  };
}

async function withProviderErrors<T>(
  inference: Pick<Inference, 'model'> | undefined,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { code, message, retryable, retryAfterS } = error;
    // There is no use in waiting for a refused model, because a person has to change its files.
    if (retryable && !(code === 'model_unavailable' && isRefused(inference))) {
      const retryAfterMs = (retryAfterS ?? 1) * 1000;
      throw new ProviderOverloadedError(`the screen could not be read: ${message}`, {
        retryAfterMs,
        cause: error,
      });
    }
    throw new PictureUnreadableError(message, { cause: error });
  }
}

function isRefused(inference: Pick<Inference, 'model'> | undefined): boolean {
  return inference?.model(MODEL).state === 'refused';
}
