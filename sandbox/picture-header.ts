import type { PictureType } from '@steadyhand/contracts';

/** What the first bytes of a picture say about it. */
export interface PictureHeader {
  readonly type: PictureType;
  /** Size in pixels; null when the header does not give it in the usual place. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Reads the header of a PNG, JPEG, GIF or WebP picture; null for anything else. */
export function pictureHeader(bytes: Uint8Array): PictureHeader | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = data.toString('latin1', 0, 12);
  if (magic.startsWith('\x89PNG\r\n\x1a\n')) {
    return {
      type: 'image/png',
      size: data.length < 24 ? null : { width: data.readUInt32BE(16), height: data.readUInt32BE(20) },
    };
  }
  if (magic.startsWith('GIF87a') || magic.startsWith('GIF89a')) {
    return {
      type: 'image/gif',
      size: data.length < 10 ? null : { width: data.readUInt16LE(6), height: data.readUInt16LE(8) },
    };
  }
  if (magic.startsWith('RIFF') && magic.slice(8) === 'WEBP')
    return { type: 'image/webp', size: webpSize(data) };
  return magic.startsWith('\xff\xd8\xff') ? { type: 'image/jpeg', size: jpegSize(data) } : null;
}

/** The first chunk gives the size: `VP8X` for extended files, `VP8L` for lossless ones, `VP8 ` for the others. */
function webpSize(data: Buffer): PictureHeader['size'] {
  if (data.length < 30) return null;
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = data.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8 ') return null;
  return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
}

/** Walks the segments to the first start of frame (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegSize(data: Buffer): PictureHeader['size'] {
  let at = 2;
  while (at + 9 <= data.length) {
    if (data[at] !== 0xff) return null;
    const marker = data[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    // Fill bytes and markers without a length are skipped.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + data.readUInt16BE(at + 2);
  }
  return null;
}
