import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 24;

/** The first random part of a millisecond leaves room for the steps to those that follow. */
const FIRST_BELOW = 58n ** 16n - 2n ** 60n;

/** Makes a new id, e.g. `sesn_...` for the prefix `sesn`. */
export type NewId = (prefix: string) => string;

/** Of what is added to the last id's random part for the next id of the same millisecond. */
const STEP_BYTES = 4;

/**
 * A source of ids: 8 characters of time (base 58, so ids sort by millisecond), then 16 random ones (93 bits). Those of one
 * millisecond sort in the order in which this source made them.
 * @param now milliseconds since 1970
 */
export function createIds(
  now: () => number = Date.now,
  random: (size: number) => Uint8Array = randomBytes,
): NewId {
  let lastAt = -1;
  let last = 0n;
  return (prefix) => {
    const at = now();
    last = at === lastAt ? last + toBigInt(random(STEP_BYTES)) + 1n : toBigInt(random(16)) % FIRST_BELOW;
    lastAt = at;
    return `${prefix}_${base58(BigInt(at), 8)}${base58(last, LENGTH - 8)}`;
  };
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
