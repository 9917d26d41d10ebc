import { isUtf8 } from 'node:buffer';
import { JsonSyntax, loneSurrogateAt, NotJsonError } from '@steadyhand/messages';
import type { Pace } from '../http/pacing.ts';

/** A look at whether others want a turn is due after so many bytes. */
const BYTES_A_LOOK = 64 * 1024;

/**
 * What is wrong with a JSON text and where, worded as the API's own parser (orjson) words it, e.g.
 * `trailing comma is not allowed: line 1 column 7 (char 6)`. Null for a good text.
 */
export async function jsonFault(bytes: Buffer, pace: Pace): Promise<string | null> {
  if (!isUtf8(bytes)) return 'str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)';
  const fault = (await syntaxFault(bytes, pace)) ?? surrogateFault(bytes);
  return fault === null ? null : `${fault.message}: ${placeOf(bytes, fault.position)}`;
}

async function syntaxFault(bytes: Buffer, pace: Pace): Promise<NotJsonError | null> {
  const begin = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
  let read = begin;
  let number = -1;
  const syntax = new JsonSyntax({
    value: (first, offset) => (number = first === 0x2d || isDigit(first) ? read + offset : -1),
    valueEnd(end) {
      if (number === -1) return;
      if (!Number.isFinite(Number(bytes.toString('latin1', number, read + end))))
        throw new NotJsonError('number is infinity when parsed as double', number - begin);
      number = -1;
    },
    name() {},
    nameEnd() {},
  });
  try {
    for (; read < bytes.length; read += BYTES_A_LOOK) {
      syntax.push(bytes.subarray(read, read + BYTES_A_LOOK));
      await pace();
    }
    syntax.end();
    return null;
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    return new NotJsonError(error.message, begin + error.position);
  }
}

/** Half a surrogate pair as an escape, which the grammar allows. */
function surrogateFault(bytes: Buffer): NotJsonError | null {
  const at = loneSurrogateAt(bytes);
  if (at === -1) return null;
  if (/[c-f]/i.test(bytes.toString('latin1', at + 3, at + 4)))
    return new NotJsonError('invalid high surrogate in string', at);
  const isFollowed = bytes.toString('latin1', at + 6, at + 8) === '\\u';
  return new NotJsonError(isFollowed ? 'invalid low surrogate in string' : 'no low surrogate in string', at);
}

/** Characters and lines are counted in code points, from 0 and 1. */
function placeOf(bytes: Buffer, at: number): string {
  let chars = 0;
  let lines = 1;
  let lineStart = 0;
  for (let index = 0; index < at; index += 1) {
    const byte = bytes[index] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    chars += 1;
    if (byte !== 0x0a) continue;
    lines += 1;
    lineStart = chars;
  }
  // The parser counts a later line's columns from its line end on.
  const column = lines === 1 ? chars + 1 : chars - lineStart + 1;
  return `line ${lines} column ${column} (char ${chars})`;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
