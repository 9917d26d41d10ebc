import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 24;

/** Makes a new id, e.g. `sesn_...` for the prefix `sesn`. */
export type NewId = (prefix: string) => string;

/**
 * A source of ids: 8 characters of time (base 58, so ids sort by millisecond), then 16 random ones (93 bits).
 * @param now milliseconds since 1970
 */
export function createIds(
  now: () => number = Date.now,
  random: (size: number) => Uint8Array = randomBytes,
): NewId {
  return (prefix) => `${prefix}_${base58(BigInt(now()), 8)}${base58(toBigInt(random(16)), LENGTH - 8)}`;
}

/**
 * The id of an event is a pure function of the session, the key of the step and the index in that step, so it is known
 * beforehand and a retry gives the same one.
 */
export function eventId(session: string, key: string, index: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([session, key, index]))
    .digest();
  return `sevt_${base58(toBigInt(digest), LENGTH)}`;
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** The low digits of a number in base 58, padded to a fixed length. */
function base58(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 58n) text = ALPHABET.charAt(Number(rest % 58n)) + text;
  return text;
}
