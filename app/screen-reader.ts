import { decodeImage, type Inference, InferenceError } from '@steadyhand/inference';
import { PictureUnreadableError, ProviderOverloadedError, type TextRecognizer } from '@steadyhand/messages';

/** The model that reads text. */
const MODEL = 'ocr';

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
    pixels: (bytes, { signal } = {}) =>
      withProviderErrors(inference, async () => {
        const given = signal === undefined ? {} : { signal };
        return await decodeImage(bytes, { read: 'color', ...given });
      }),
  };
}

/** A screen reader that is created before the inference service; it is busy until `open` gives it the service. */
export function deferredScreenReader(): {
  readonly recognizer: TextRecognizer;
  open(inference: Pick<Inference, 'analyze' | 'model'>): void;
} {
  let reader: Required<TextRecognizer> | undefined;
  const opened = (): Required<TextRecognizer> => {
    if (reader === undefined) throw new ProviderOverloadedError('the screen cannot be read yet');
    return reader;
  };
  return {
    recognizer: {
      read: async (bytes, options) => opened().read(bytes, options),
      pixels: async (bytes, options) => opened().pixels(bytes, options),
    },
    open: (inference) => {
      reader = createScreenReader(inference);
    },
  };
}

async function withProviderErrors<T>(
  inference: Pick<Inference, 'model'>,
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

function isRefused(inference: Pick<Inference, 'model'>): boolean {
  return inference.model(MODEL).state === 'refused';
}
