import { BrokenHeaderError, ByteReader } from './byte-reader.ts';

/** The tags of a TIFF directory that are read here. TIFF 6.0, section 8. */
export const TIFF_TAG = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  orientation: 274,
  samplesPerPixel: 277,
  extraSamples: 338,
  sampleFormat: 339,
} as const;

const WANTED: ReadonlySet<number> = new Set(Object.values(TIFF_TAG));
const MAX_DIRECTORIES = 1000;
const MAX_ENTRIES = 65_535;
/** Bytes of a value by its type: BYTE, SHORT, LONG, and BigTIFF's LONG8. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

interface TiffHeader {
  /** The first value of each wanted tag in the first directory. */
  readonly tags: ReadonlyMap<number, number>;
  /** The number of directories in the main chain. */
  readonly pages: number;
}

/** Reads the directories of a TIFF file, or of EXIF, which is a TIFF block. @throws {BrokenHeaderError} */
export function readTiffHeader(
  bytes: Uint8Array,
  options: { readonly firstOnly?: boolean } = {},
): TiffHeader {
  const reader = new ByteReader(bytes);
  const order = reader.text(0, 2);
  if (order !== 'II' && order !== 'MM') throw new BrokenHeaderError('no byte order mark');
  reader.littleEndian = order === 'II';
  const version = reader.u16(2);
  if (version !== 42 && version !== 43) throw new BrokenHeaderError('no TIFF version');
  const big = version === 43;
  const word = (offset: number): number => (big ? reader.u64(offset) : reader.u32(offset));

  const tags = new Map<number, number>();
  const seen = new Set<number>();
  let at = word(big ? 8 : 4);
  while (at !== 0 && seen.size < MAX_DIRECTORIES) {
    if (seen.has(at)) throw new BrokenHeaderError('its directories form a ring');
    const first = seen.size === 0;
    seen.add(at);
    const count = big ? reader.u64(at) : reader.u16(at);
    const start = at + (big ? 8 : 2);
    const size = big ? 20 : 12;
    if (count > MAX_ENTRIES || start + count * size > reader.length)
      throw new BrokenHeaderError('the file ends within a directory');
    if (first) {
      for (let i = 0; i < count; i += 1) readTag(reader, start + i * size, big, tags);
      if (options.firstOnly === true) break;
    }
    at = word(start + count * size);
  }
  return { tags, pages: seen.size };
}

function readTag(reader: ByteReader, entry: number, big: boolean, tags: Map<number, number>): void {
  const tag = reader.u16(entry);
  if (!WANTED.has(tag)) return;
  const type = reader.u16(entry + 2);
  const size = SIZES[type];
  if (size === undefined) return;
  const count = big ? reader.u64(entry + 4) : reader.u32(entry + 4);
  if (count === 0) return;
  const inline = size * count <= (big ? 8 : 4);
  const field = entry + (big ? 12 : 8);
  const at = inline ? field : big ? reader.u64(field) : reader.u32(field);
  const value =
    size === 1 ? reader.u8(at) : size === 2 ? reader.u16(at) : size === 4 ? reader.u32(at) : reader.u64(at);
  tags.set(tag, value);
}

/** Reads the orientation of an EXIF block, 1 to 8; 1 where it has none or is broken. */
export function exifOrientation(exif: Uint8Array): number {
  try {
    const value = readTiffHeader(exif, { firstOnly: true }).tags.get(TIFF_TAG.orientation) ?? 1;
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof BrokenHeaderError || error instanceof RangeError) return 1;
    throw error;
  }
}
