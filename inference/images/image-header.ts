import { BrokenHeaderError, ByteReader } from './byte-reader.ts';
import type { ImageFormat } from './image-format.ts';
import { TIFF_TAG, exifOrientation, readTiffHeader } from './tiff-header.ts';

/** What a file's header says, before anything is decoded. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** Pixels as stored, before any EXIF rotation. */
  readonly width: number;
  readonly height: number;
  /** Channels that reading `unchanged` gives: 1, 3 or 4. */
  readonly channels: 1 | 3 | 4;
  /** Bits of a sample in the file: 1, 2, 4, 8, 16, 32. */
  readonly depth: number;
  /** Frames of an animation, pages of a TIFF. The first one is read. */
  readonly pages: number;
  /** EXIF orientation, 1 (upright) to 8. */
  readonly orientation: number;
  /** Whether the samples are cyan, magenta, yellow and black. */
  readonly cmyk: boolean;
  /** Whether it is a TIFF whose colours have to be multiplied by its alpha, as libtiff does. */
  readonly straightAlpha?: boolean;
  /** Where a JPEG's first scan begins. */
  readonly firstScan?: number;
}

/** @throws {BrokenHeaderError} */
export function readHeader(format: ImageFormat, bytes: Uint8Array): ImageHeader {
  const header = READERS[format](bytes);
  if (header.width < 1 || header.height < 1) throw new BrokenHeaderError('its header gives no size');
  return header;
}

const READERS: Record<ImageFormat, (bytes: Uint8Array) => ImageHeader> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  tiff: readTiff,
};

const SOF_NOT = new Set([0xc4, 0xc8, 0xcc]);
/** Segments before the first scan. A photograph with a large profile has some dozens. */
const MAX_SEGMENTS = 5000;
/** Fill bytes and garbage between segments. */
const MAX_SKIPPED = 100_000;

/** ITU-T T.81 annex B: segments up to the frame header and the first scan. */
function readJpeg(bytes: Uint8Array): ImageHeader {
  const reader = new ByteReader(bytes);
  let at = 2;
  let segments = 0;
  let skipped = 0;
  let orientation: number | undefined;
  let frame: { marker: number; depth: number; height: number; width: number; components: number } | undefined;
  for (;;) {
    while (reader.u8(at) !== 0xff && skipped < MAX_SKIPPED) {
      at += 1;
      skipped += 1;
    }
    while (reader.u8(at) === 0xff && skipped < MAX_SKIPPED) {
      at += 1;
      skipped += 1;
    }
    segments += 1;
    if (skipped >= MAX_SKIPPED || segments > MAX_SEGMENTS)
      throw new BrokenHeaderError('its header does not end');
    const marker = reader.u8(at);
    at += 1;
    if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    if (marker === 0xda || marker === 0xd9) break;
    const length = reader.u16(at);
    if (length < 2) throw new BrokenHeaderError('a segment of its header has no length');
    const segment = reader.sub(at + 2, length - 2);
    if (marker >= 0xc0 && marker <= 0xcf && !SOF_NOT.has(marker) && frame === undefined) {
      frame = {
        marker,
        depth: reader.u8(at + 2),
        height: reader.u16(at + 3),
        width: reader.u16(at + 5),
        components: reader.u8(at + 7),
      };
    }
    if (marker === 0xe1 && length > 8 && reader.text(at + 2, 6) === 'Exif\0\0')
      orientation ??= exifOrientation(segment.subarray(6));
    at += length;
  }
  if (frame === undefined) throw new BrokenHeaderError('it has no frame header');
  const { width, height, depth, components } = frame;
  return {
    format: 'jpeg',
    width,
    height,
    channels: components === 1 ? 1 : 3,
    depth,
    pages: 1,
    orientation: orientation ?? 1,
    cmyk: components === 4,
    firstScan: at,
  };
}

/** No real picture has as many chunks, and walking millions of them would take long. */
const MAX_CHUNKS = 20_000;
/** Each of these chunks may unfold to 8 MB before the decoder has seen a pixel. */
const COMPRESSED = new Set(['zTXt', 'iTXt', 'iCCP']);
const MAX_COMPRESSED = 64;

/** PNG, third edition, section 11. The walk goes to the end, so that a truncated file is found without decoding. */
function readPng(bytes: Uint8Array): ImageHeader {
  const reader = new ByteReader(bytes);
  if (reader.u32(8) !== 13 || reader.text(12, 4) !== 'IHDR')
    throw new BrokenHeaderError('it does not begin with IHDR');
  const width = reader.u32(16);
  const height = reader.u32(20);
  const depth = reader.u8(24);
  const colorType = reader.u8(25);
  let transparent = colorType === 4 || colorType === 6;
  let orientation: number | undefined;
  let pages = 1;
  let data = false;
  let chunks = 0;
  let compressed = 0;
  for (let at = 8; ;) {
    const length = reader.u32(at);
    const type = reader.text(at + 4, 4);
    const content = reader.sub(at + 8, length);
    reader.u32(at + 8 + length);
    chunks += 1;
    if (COMPRESSED.has(type)) compressed += 1;
    if (chunks > MAX_CHUNKS || compressed > MAX_COMPRESSED)
      throw new BrokenHeaderError('it has too many chunks');
    if (type === 'IEND') break;
    if (type === 'IDAT') data = true;
    if (type === 'tRNS' && colorType !== 0) transparent = true;
    if (type === 'eXIf') orientation ??= exifOrientation(content);
    if (type === 'acTL' && length === 8) pages = Math.max(1, reader.u32(at + 8));
    at += 12 + length;
  }
  if (!data) throw new BrokenHeaderError('it has no image data');
  return {
    format: 'png',
    width,
    height,
    channels: transparent ? 4 : colorType === 0 ? 1 : 3,
    depth,
    pages,
    orientation: orientation ?? 1,
    cmyk: false,
  };
}

/** RFC 9649: the container and the headers of its two kinds of bitstream. */
function readWebp(bytes: Uint8Array): ImageHeader {
  const reader = new ByteReader(bytes, true);
  const end = reader.u32(4) + 8;
  if (end > reader.length) throw new BrokenHeaderError('the file ends too early');
  let size: { width: number; height: number } | undefined;
  let transparent = false;
  let extended = false;
  let orientation = 1;
  let frames = 0;
  let chunks = 0;
  for (let at = 12; at + 8 <= end;) {
    const type = reader.text(at, 4);
    const length = reader.u32(at + 4);
    const content = reader.sub(at + 8, length);
    chunks += 1;
    if (chunks > MAX_CHUNKS) throw new BrokenHeaderError('it has too many chunks');
    if (type === 'VP8X') {
      extended = true;
      transparent = (reader.u8(at + 8) & 0x10) !== 0;
      size = { width: reader.u24le(at + 12) + 1, height: reader.u24le(at + 15) + 1 };
    } else if (type === 'VP8 ' && size === undefined) {
      size = { width: reader.u16(at + 14) & 0x3fff, height: reader.u16(at + 16) & 0x3fff };
    } else if (type === 'VP8L' && !extended) {
      const bits = reader.u32(at + 9);
      size = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      transparent = ((bits >>> 28) & 1) === 1;
    } else if (type === 'ANMF') {
      frames += 1;
    } else if (type === 'EXIF') {
      const prefixed = length > 6 && reader.text(at + 8, 6) === 'Exif\0\0';
      orientation = exifOrientation(prefixed ? content.subarray(6) : content);
    }
    at += 8 + length + (length % 2);
  }
  if (size === undefined) throw new BrokenHeaderError('it has no image data');
  return {
    format: 'webp',
    ...size,
    channels: transparent ? 4 : 3,
    depth: 8,
    pages: Math.max(1, frames),
    orientation,
    cmyk: false,
  };
}

const TIFF_JPEG = 7;
const YCBCR = 6;
const UNASSOCIATED = 2;

/** Reads the kinds of TIFF that come out as cv2 reads them; the others are refused. */
function readTiff(bytes: Uint8Array): ImageHeader {
  const { tags, pages } = readTiffHeader(bytes);
  const photometric = tags.get(TIFF_TAG.photometric) ?? 0;
  const samples = tags.get(TIFF_TAG.samplesPerPixel) ?? 1;
  const depth = tags.get(TIFF_TAG.bitsPerSample) ?? 1;
  const orientation = tags.get(TIFF_TAG.orientation) ?? 1;
  const straightAlpha = samples >= 4 && tags.get(TIFF_TAG.extraSamples) === UNASSOCIATED;
  const asJpeg = photometric === YCBCR && tags.get(TIFF_TAG.compression) === TIFF_JPEG;
  if (photometric > 3 && !asJpeg)
    throw new BrokenHeaderError('its colour space is none of grey, palette and RGB');
  if (![1, 2, 4, 8, 16].includes(depth) || (tags.get(TIFF_TAG.sampleFormat) ?? 1) !== 1)
    throw new BrokenHeaderError('its samples are no whole numbers of 1 to 16 bits');
  if (samples > 4 || (depth === 16 && straightAlpha))
    throw new BrokenHeaderError('its extra samples are not supported');
  return {
    format: 'tiff',
    width: tags.get(TIFF_TAG.width) ?? 0,
    height: tags.get(TIFF_TAG.height) ?? 0,
    channels: photometric === 3 || samples === 3 ? 3 : samples === 4 ? 4 : 1,
    depth,
    pages,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    cmyk: false,
    straightAlpha,
  };
}
