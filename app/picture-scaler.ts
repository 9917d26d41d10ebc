import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { imageConcurrency, loadSharp } from '@steadyhand/inference';
import { PictureNotScaledError, type PictureScaler, type Size } from '@steadyhand/messages';

type Source = Parameters<PictureScaler['scale']>[0];

/** Characters of base64 that are kept of what was scaled: a conversation sends its screenshots again with every turn. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;
/** Base64 characters of a picture beyond which the Messages API refuses it. */
const MOST_CHARACTERS = 5 * 1024 * 1024;
const JPEG_QUALITY = 90;
const MOST_PIXELS = 50_000_000;
const MOST_SECONDS = 10;

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
      // A conversation's screenshots come all at once: their digests are taken in a turn of the event loop each.
      await nextTurn();
      signal.throwIfAborted();
      const key = `${size.width}x${size.height}/${createHash('sha256').update(source.data).digest('base64')}`;
      const known = kept.get(key);
      if (known !== undefined) {
        // The newest last: the oldest are forgotten first.
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      // Without the signal: another request may wait for the same picture.
      const scaled = imageConcurrency.run(() => scaleNow(source, size));
      keep(key, scaled);
      return scaled;
    },
  };
}

async function scaleNow({ data, media_type: type }: Source, { width, height }: Size): Promise<Source> {
  const sharp = await loadSharp();
  try {
    const resized = sharp(Buffer.from(data, 'base64'), { failOn: 'error', limitInputPixels: MOST_PIXELS })
      .timeout({ seconds: MOST_SECONDS })
      .resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
    // A camera's picture says in its metadata which side is up.
    if (type === 'image/jpeg') resized.keepExif();
    else {
      const png = (await resized.clone().png({ compressionLevel: 6 }).toBuffer()).toString('base64');
      if (png.length <= MOST_CHARACTERS) return { type: 'base64', media_type: 'image/png', data: png };
    }
    const jpeg = await resized.flatten({ background: '#ffffff' }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
    return { type: 'base64', media_type: 'image/jpeg', data: jpeg.toString('base64') };
  } catch (error) {
    throw new PictureNotScaledError(error instanceof Error ? error.message : String(error));
  }
}
