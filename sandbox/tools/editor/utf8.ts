/** Returns why bytes are not UTF-8, in the words of Python's UnicodeDecodeError. */
export function decodeProblem(bytes: Uint8Array): string | null {
  let at = 0;
  while (at < bytes.length) {
    const step = sequence(bytes, at);
    if (step.reason !== undefined) {
      const what =
        step.length === 1
          ? `byte 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')} in position ${at}`
          : `bytes in position ${at}-${at + step.length - 1}`;
      return `'utf-8' codec can't decode ${what}: ${step.reason}`;
    }
    at += step.length;
  }
  return null;
}

/** Returns why text cannot be written as UTF-8 (a lone surrogate), in the words of Python's UnicodeEncodeError. */
export function encodeProblem(text: string): string | null {
  let index = 0;
  let first: { readonly index: number; readonly point: number } | undefined;
  let last = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const lone = point >= 0xd800 && point <= 0xdfff;
    if (lone && first === undefined) [first, last] = [{ index, point }, index];
    else if (lone && index === last + 1) last = index;
    else if (first !== undefined) break;
    index++;
  }
  if (first === undefined) return null;
  const what =
    last === first.index
      ? `character '\\u${first.point.toString(16)}' in position ${first.index}`
      : `characters in position ${first.index}-${last}`;
  return `'utf-8' codec can't encode ${what}: surrogates not allowed`;
}

const ESCAPE = 0xdc00;

/**
 * Decodes any bytes: what is not UTF-8 becomes lone surrogates (U+DC80 to U+DCFF for the bytes 0x80 to 0xFF, Python's
 * `surrogateescape`), so that `encode` returns the same bytes.
 */
export function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (decodeProblem(bytes) === null) return buffer.toString('utf8');
  let text = '';
  let good = 0;
  let at = 0;
  while (at < bytes.length) {
    const step = sequence(bytes, at);
    if (step.reason === undefined) {
      at += step.length;
      continue;
    }
    text += buffer.toString('utf8', good, at) + String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
    at += 1;
    good = at;
  }
  return text + buffer.toString('utf8', good);
}

/** Encodes a text that `decode` made, or that contains no lone surrogate. */
export function encode(text: string): Uint8Array {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index, 0: escaped } of text.matchAll(/[\ud800-\udfff]/gu)) {
    parts.push(Buffer.from(text.slice(from, index)), Buffer.of((escaped.charCodeAt(0) - ESCAPE) & 0xff));
    from = index + 1;
  }
  parts.push(Buffer.from(text.slice(from)));
  return Buffer.concat(parts);
}

/** Returns a decoded text for people to read, with U+FFFD for bytes that are not UTF-8. */
export function readable(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd');
}

interface Step {
  /** The bytes of the character, or of the piece that Python would report. */
  readonly length: number;
  readonly reason?: string;
}

/** Reads the UTF-8 sequence at `at`, by the Unicode standard's table of well-formed sequences. */
function sequence(bytes: Uint8Array, at: number): Step {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return { length: 1 };
  if (lead < 0xc2 || lead > 0xf4) return { length: 1, reason: 'invalid start byte' };
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return { length: i, reason: 'unexpected end of data' };
    const [low, high] = i === 1 ? secondByteRange(lead) : [0x80, 0xbf];
    if (byte < low || byte > high) return { length: i, reason: 'invalid continuation byte' };
  }
  return { length };
}

function secondByteRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}
