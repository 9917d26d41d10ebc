import { inflateSync } from 'node:zlib';

/** The limits for decompressed bytes and streams: a hostile file could expand to far more than its length. */
const MAX_UNPACKED = 32 * 1024 * 1024;
const MAX_STREAMS = 4096;
/** The largest distance between an object stream's name and its beginning, in characters. */
const MAX_DICTIONARY = 1000;

const PAGE = /\/Type\s{0,100}\/Page(?![a-z])/gi;
const NAME = '/ObjStm';
const BEGIN = 'stream';
const END = 'endstream';

function pagesIn(text: string): number {
  return text.match(PAGE)?.length ?? 0;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the next object stream from `from` on. Nothing is searched twice, so the time is linear in the file's length.
 */
function nextStream(text: string, from: number): Stretch | null {
  for (let at = text.indexOf(NAME, from); at !== -1; at = text.indexOf(NAME, at)) {
    const begin = text.indexOf(BEGIN, at);
    if (begin === -1) return null;
    const start = begin + BEGIN.length;
    // Names of streams without a beginning may stand in between, so the nearest name counts.
    if (begin - text.lastIndexOf(NAME, begin) <= MAX_DICTIONARY) {
      const end = text.indexOf(END, start);
      return end === -1 ? null : { start: start + (text[start] === '\r' ? 2 : 1), end };
    }
    at = start;
  }
  return null;
}

/**
 * Decompresses the object streams, in which newer PDFs keep their pages. Streams that cannot be decompressed are
 * skipped.
 */
function* unpacked(bytes: Buffer, text: string): Generator<string> {
  let left = MAX_UNPACKED;
  let found = nextStream(text, 0);
  for (let streams = 0; found !== null && streams < MAX_STREAMS && left > 0; streams += 1) {
    const { start, end } = found;
    try {
      const inside = inflateSync(bytes.subarray(start, end), { maxOutputLength: left });
      left -= inside.length;
      yield inside.toString('latin1');
    } catch {
      // The stream has another compression or is too large. The attempt may have cost as much as its length.
      left -= end - start;
    }
    found = nextStream(text, end + END.length);
  }
}

/** Counts the page objects of a PDF without reading the rest. The result is at least 1. */
export function pdfPages(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('latin1');
  let pages = pagesIn(text);
  for (const inside of unpacked(bytes, text)) pages += pagesIn(inside);
  return Math.max(1, pages);
}
