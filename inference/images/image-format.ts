/** The formats that are read. All others are refused by name, although the image library could read some of them. */
export const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'tiff'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The bytes at an offset that identify a format, as Latin-1 text; `.` stands for any byte. */
type Magic = readonly [name: string, offset: number, bytes: string];

const ALLOWED: readonly (readonly [ImageFormat, number, string])[] = [
  ['jpeg', 0, '\xff\xd8\xff'],
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['webp', 0, 'RIFF....WEBP'],
  ['tiff', 0, 'II\x2a\0'],
  ['tiff', 0, 'MM\0\x2a'],
  ['tiff', 0, 'II\x2b\0'],
  ['tiff', 0, 'MM\0\x2b'],
];

/** Formats worth naming when they are refused. */
const OTHERS: readonly Magic[] = [
  ['GIF', 0, 'GIF8'],
  ['AVIF', 4, 'ftypavi'],
  ['HEIF', 4, 'ftyphei'],
  ['HEIF', 4, 'ftyphev'],
  ['HEIF', 4, 'ftypmif1'],
  ['HEIF', 4, 'ftypmsf1'],
  ['MP4', 4, 'ftyp'],
  ['JPEG XL', 0, '\xff\x0a'],
  ['JPEG XL', 0, '\0\0\0\x0cJXL '],
  ['JPEG 2000', 0, '\0\0\0\x0cjP  '],
  ['JPEG 2000', 0, '\xff\x4f\xff\x51'],
  ['PDF', 0, '%PDF'],
  ['PostScript', 0, '%!PS'],
  ['BMP', 0, 'BM'],
  ['ICO', 0, '\0\0\x01\0'],
  ['CUR', 0, '\0\0\x02\0'],
  ['PSD', 0, '8BPS'],
  ['OpenEXR', 0, '\x76\x2f\x31\x01'],
  ['Radiance HDR', 0, '#?R'],
  ['QOI', 0, 'qoif'],
  ['DDS', 0, 'DDS '],
  ['AVI', 0, 'RIFF....AVI '],
  ['WAV', 0, 'RIFF....WAVE'],
  ['Matroska or WebM', 0, '\x1a\x45\xdf\xa3'],
  ['ZIP', 0, 'PK\x03\x04'],
  ['gzip', 0, '\x1f\x8b'],
];

function begins(head: string, [, offset, bytes]: Magic): boolean {
  if (head.length < offset + bytes.length) return false;
  for (let i = 0; i < bytes.length; i += 1)
    if (bytes[i] !== '.' && bytes[i] !== head[offset + i]) return false;
  return true;
}

/** Answers the format by its first bytes, or the name of what the file is instead; null where that is unknown. */
export function sniffFormat(
  bytes: Uint8Array,
): { readonly format: ImageFormat } | { readonly found: string | null } {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  const allowed = ALLOWED.find((magic) => begins(head, magic));
  if (allowed !== undefined) return { format: allowed[0] };
  const other = OTHERS.find((magic) => begins(head, magic));
  if (other !== undefined) return { found: other[0] };
  if (/<svg[\s>:]/i.test(head)) return { found: 'SVG' };
  if (/^(\xef\xbb\xbf)?\s*<(!doctype html|html)/i.test(head)) return { found: 'HTML' };
  if (/^(\xef\xbb\xbf)?\s*<\?xml/i.test(head)) return { found: 'XML' };
  if (/^P[1-7]\s/.test(head)) return { found: 'Netpbm' };
  return { found: null };
}
