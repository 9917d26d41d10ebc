import { ApiError } from '@steadyhand/contracts';
import { isIPv6 } from 'node:net';

/** So many wrong keys of one address are answered at once: somebody mistypes, or forgot to change a key somewhere. */
const AT_ONCE = 5;
/** So many are answered at all, those above the first ones after a delay. */
const ANSWERED = 20;
const DELAY_MS = 1000;
/** One wrong key is forgotten every so often. */
const FORGOTTEN_MS = 6000;
/** How many addresses are remembered; the one that was seen longest ago is forgotten first. */
const ADDRESSES = 10_000;
/** Keys that are remembered for an address. */
const KEYS_EACH = 100;

interface AddressRecord {
  failures: number;
  /** When `failures` was right, in ms. */
  at: number;
  /** Names of keys that were right when they came from here. */
  readonly known: Set<string>;
}

export interface WrongKeysOptions {
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: (() => number) | undefined;
  /** Default: a timer. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
}

const timer = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/**
 * Slows down who tries keys, by address: some wrong keys are answered at once, further ones later, and then none until time has
 * passed. An address that is held back still gets in with a key that was right from there before, so that whoever tries keys
 * behind a shared address locks nobody out; any other key, a right one too, is told to wait, or the trying would go on.
 */
export class WrongKeys {
  readonly #byAddress = new Map<string, AddressRecord>();
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<void>;

  constructor({ now = Date.now, wait = timer }: WrongKeysOptions = {}) {
    this.#now = now;
    this.#wait = wait;
  }

  /** Addresses that are remembered now. */
  get size(): number {
    return this.#byAddress.size;
  }

  /**
   * Call with what a request's key was found to be: the name of a right one, or undefined.
   *
   * @throws {ApiError} `rate_limit_error` with the time to wait where this address has tried too many
   * @returns once the answer may be given
   */
  async take(address: string | undefined, name: string | undefined): Promise<void> {
    const record = this.#of(clientAddress(address));
    if (name !== undefined && record.known.has(name)) return;
    if (record.failures >= ANSWERED) {
      throw new ApiError(
        'rate_limit_error',
        'Too many invalid keys came from this address; wait and try again',
        {
          retryAfterMs: Math.ceil((record.failures - ANSWERED + 1) * FORGOTTEN_MS),
        },
      );
    }
    if (name !== undefined) {
      if (record.known.size < KEYS_EACH) record.known.add(name);
      return;
    }
    record.failures += 1;
    if (record.failures > AT_ONCE) await this.#wait(DELAY_MS);
  }

  /** What is known of an address, with what time has passed over. */
  #of(address: string): AddressRecord {
    const now = this.#now();
    const record = this.#byAddress.get(address) ?? { failures: 0, at: now, known: new Set<string>() };
    // A clock that stepped back forgets nothing meanwhile.
    const passed = Math.max(0, now - record.at);
    record.failures = Math.max(0, record.failures - passed / FORGOTTEN_MS);
    record.at = now;
    // It moves behind all others, so that the first of the map is the one that was seen longest ago.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, record);
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
    return record;
  }
}

/**
 * The part of an address that one client has for itself: all of it for IPv4, the first 64 bits for IPv6, of which a machine is
 * given the rest to choose from.
 */
export function clientAddress(address: string | undefined): string {
  const text = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(text)) return text;
  const [before = '', after] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const head = groups(before);
  const tail = groups(after ?? '');
  // A last group that is written as an IPv4 address stands for two.
  const length = head.length + tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = after === undefined ? 0 : 8 - length;
  const all = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
