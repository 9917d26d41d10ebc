import { loadSharp } from '../display/capture.ts';

/** Of the encoder, 0 to 100; text on a screen stays sharp. */
const QUALITY = 82;
/** 0 to 6: quick, for a file a little larger. */
const EFFORT = 1;

export interface PictureFrame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * A picture as a VP8 key frame. A lossy WebP file is one such frame in an envelope, so no video encoder is needed.
 * @param size what to fit it into, with black at the edges; by default its own
 * @throws where the bytes are no picture
 */
export async function pictureFrame(
  bytes: Uint8Array,
  size?: { readonly width: number; readonly height: number },
): Promise<PictureFrame> {
  const sharp = await loadSharp();
  const picture = sharp(bytes).flatten({ background: '#000' });
  if (size !== undefined) picture.resize(size.width, size.height, { fit: 'contain', background: '#000' });
  const { data, info } = await picture
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: vp8In(data) };
}

/** The VP8 data of a WebP file, which is RIFF. */
function vp8In(file: Buffer): Uint8Array {
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'VP8 ') return file.subarray(at + 8, at + 8 + size);
    // Chunks begin at even places.
    at += 8 + size + (size % 2);
  }
  throw new Error('the picture was not encoded as VP8');
}
