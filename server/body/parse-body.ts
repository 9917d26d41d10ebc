import { isUtf8 } from 'node:buffer';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { loneSurrogateAt, MAX_DEPTH } from '@steadyhand/messages';
import type { Pace } from '../http/pacing.ts';
import { jsonFault } from './json-fault.ts';
import { JsonInvalidError, JsonTooLargeError, JsonTooManyError, parseJson } from './json-reader.ts';

/** A larger body is parsed in turns: parsed at once it would hold everybody up for too long. */
const AT_ONCE_BYTES = 512 * 1024;

/**
 * What a body may hold. Its shape is checked in one go, which these bounds keep short; they are far from what a conversation
 * needs that a model can read: 40,000 messages of a text block each, objects of some hundred members.
 */
const MAX_VALUES = 250_000;
const MAX_MEMBERS = 10_000;

const NO_JSON = 'The request body is not valid JSON';

/**
 * A JSON body's value. Beside what every parser refuses, it refuses what would come out as something else than was sent:
 * bytes that are no UTF-8, halves of surrogate pairs, numbers too large for a double. The last of several equal keys counts;
 * a byte order mark is passed over.
 * Throws InvalidRequestError, or ApiError `request_too_large` for more values than anybody needs.
 */
export async function parseBody(bytes: Buffer, pace: Pace): Promise<unknown> {
  const value =
    bytes.length <= AT_ONCE_BYTES ? await parseAtOnce(bytes, pace) : await parseInTurns(bytes, pace);
  if (loneSurrogateAt(bytes) !== -1) throw await refusal(bytes, pace);
  return value;
}

async function parseAtOnce(bytes: Buffer, pace: Pace): Promise<unknown> {
  if (!isUtf8(bytes)) throw await refusal(bytes, pace);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text.codePointAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw await refusal(bytes, pace);
  }
  if (!isWithinBounds(value)) throw await refusal(bytes, pace);
  return value;
}

async function parseInTurns(bytes: Buffer, pace: Pace): Promise<unknown> {
  if (!isUtf8(bytes)) throw await refusal(bytes, pace);
  try {
    return await parseJson(bytes, pace, {
      values: MAX_VALUES,
      members: MAX_MEMBERS,
      depth: MAX_DEPTH,
      escapedBytes: bytes.length,
      bigints: false,
      finite: true,
    });
  } catch (error) {
    if (error instanceof JsonTooManyError) throw tooMany(error.members);
    if (!(error instanceof JsonInvalidError) && !(error instanceof JsonTooLargeError)) throw error;
    throw await refusal(bytes, pace);
  }
}

function tooMany(members: boolean): ApiError {
  return new ApiError(
    'request_too_large',
    members
      ? `Request exceeds the maximum of ${MAX_MEMBERS} members of one JSON object`
      : `Request exceeds the maximum of ${MAX_VALUES} JSON values`,
  );
}

async function refusal(bytes: Buffer, pace: Pace): Promise<InvalidRequestError> {
  const fault = await jsonFault(bytes, pace);
  return new InvalidRequestError(fault === null ? NO_JSON : `${NO_JSON}: ${fault}`);
}

/** Whether no value lies deeper than allowed and every number is finite. */
function isWithinBounds(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'number' && !Number.isFinite(item)) return false;
      if (typeof item !== 'object' || item === null) continue;
      if (depth === MAX_DEPTH) return false;
      const inner: unknown[] = Array.isArray(item) ? item : Object.values(item);
      if (!Array.isArray(item) && inner.length > MAX_MEMBERS) throw tooMany(true);
      for (const each of inner) next.push(each);
    }
    level = next;
  }
  return true;
}
