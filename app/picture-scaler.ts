import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { imageConcurrency, loadSharp } from '@steadyhand/inference';
import { PictureNotScaledError, type PictureScaler, type Size } from '@steadyhand/messages';

type Source = Parameters<PictureScaler['scale']>[0];

/** The most base64 characters of scaled pictures that are kept: a conversation sends its screenshots again with every turn. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;
/** The most base64 characters of a picture that the Messages API takes. */
const MAX_CHARACTERS = 5 * 1024 * 1024;
const JPEG_QUALITY = 90;
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 10;

/** Scales pictures with the image library, on its own threads. */
export function createPictureScaler(keptCharacters = KEPT_CHARACTERS): PictureScaler {
  const kept = new Map<string, Promise<Source>>();
  const sizes = new Map<string, number>();
  let total = 0;

  const forget = (key: string): void => {
    kept.delete(key);
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
  };
  const keep = (key: string, scaled: Promise<Source>): void => {
    kept.set(key, scaled);
    scaled.then(
      ({ data }) => {
        if (kept.get(key) !== scaled) return;
        sizes.set(key, data.length);
        total += data.length;
        for (const oldest of kept.keys()) {
          if (total <= keptCharacters) break;
          if (sizes.has(oldest)) forget(oldest);
        }
      },
      () => forget(key),
    );
  };

  return {
    async scale(source, size, signal) {
      // A conversation's screenshots come all at once, so each digest is taken in its own turn of the event loop.
      await nextTurn();
      signal.throwIfAborted();
      const key = `${size.width}x${size.height}/${createHash('sha256').update(source.data).digest('base64')}`;
      const known = kept.get(key);
      if (known !== undefined) {
        // This moves the picture to the end, because the oldest are forgotten first.
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      // This has no signal, because another request may wait for the same picture.
      const scaled = imageConcurrency.run(() => scaleNow(source, size));
      keep(key, scaled);
      return scaled;
    },
  };
}

async function scaleNow({ data, media_type: type }: Source, { width, height }: Size): Promise<Source> {
  const sharp = await loadSharp();
  try {
    const resized = sharp(Buffer.from(data, 'base64'), { failOn: 'error', limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: MAX_SECONDS })
      .resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
    // The metadata of a camera's picture says which side is up.
    if (type === 'image/jpeg') resized.keepExif();
    else {
      const png = (await resized.clone().png({ compressionLevel: 6 }).toBuffer()).toString('base64');
      if (png.length <= MAX_CHARACTERS) return { type: 'base64', media_type: 'image/png', data: png };
    }
    const jpeg = await resized.flatten({ background: '#ffffff' }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
    return { type: 'base64', media_type: 'image/jpeg', data: jpeg.toString('base64') };
  } catch (error) {
    throw new PictureNotScaledError(error instanceof Error ? error.message : String(error));
  }
}
