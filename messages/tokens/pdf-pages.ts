import { inflateSync } from 'node:zlib';

/** How much of packed objects is looked through, in bytes and in streams: a hostile file could hold far more than it is long. */
const MAX_UNPACKED = 32 * 1024 * 1024;
const MAX_STREAMS = 4096;
/** How far behind its name a stream's dictionary may go on, in characters. */
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

/** The next stream of packed objects at or behind `from`. Nothing is searched twice, so a file costs no more than its length. */
function nextStream(text: string, from: number): Stretch | null {
  for (let at = text.indexOf(NAME, from); at !== -1; at = text.indexOf(NAME, at)) {
    const begin = text.indexOf(BEGIN, at);
    if (begin === -1) return null;
    const start = begin + BEGIN.length;
    // The name that is nearest before: those of streams without a beginning may stand between.
    if (begin - text.lastIndexOf(NAME, begin) <= MAX_DICTIONARY) {
      const end = text.indexOf(END, start);
      return end === -1 ? null : { start: start + (text[start] === '\r' ? 2 : 1), end };
    }
    at = start;
  }
  return null;
}

/** What the streams of packed objects hold, in which newer PDFs keep their pages; what cannot be unpacked is left out. */
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
      // Not packed this way, or more than is looked through: it may have cost as much as was there.
      left -= end - start;
    }
    found = nextStream(text, end + END.length);
  }
}

/** Pages of a PDF, counted by its page objects without reading the rest; at least one. */
export function pdfPages(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('latin1');
  let pages = pagesIn(text);
  for (const inside of unpacked(bytes, text)) pages += pagesIn(inside);
  return Math.max(1, pages);
}
