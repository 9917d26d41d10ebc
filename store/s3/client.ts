import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreUnavailableError, ObjectStoreRefusedError } from '../contract/errors.ts';
import { codeOf } from '../disk/faults.ts';
import type { S3Address } from './address.ts';
import { S3Connection, type S3Request } from './connection.ts';
import type { S3Credentials } from './credentials.ts';
import { elementText } from './xml.ts';

export interface S3Options {
  readonly address: S3Address;
  readonly credentials: S3Credentials;
  /** Milliseconds in which nothing is sent or received, after which a request has failed; default 15 seconds. */
  readonly idleMs?: number;
  /** Milliseconds for which failed requests are repeated; default 10 seconds. */
  readonly patienceMs?: number;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
}

/** What a store answers when it is busy, restarting or too slow. */
const LATER = new Set([408, 409, 429, 500, 502, 503, 504]);
/** Refusals with another status that pass by themselves. */
const LATER_CODES = new Set(['RequestTimeout', 'SlowDown']);
/** A certificate does not become right by waiting. */
const FOR_GOOD = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL|EPROTO|ERR_INVALID)/;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
/** Answers that are not bytes of an object are short. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** An answer that was not refused for good. */
export interface S3Answer {
  readonly status: number;
  readonly message: IncomingMessage;
  /** How many times the request was sent; an earlier one may have done its work, and its answer was lost. */
  readonly attempts: number;
}

/**
 * Requests to an S3-compatible store, repeated with growing pauses while the store is away, busy or cuts connections.
 */
export class S3Client {
  readonly address: S3Address;
  /** The bucket's address and the prefix. */
  readonly place: string;
  readonly #connection: S3Connection;
  readonly #patienceMs: number;

  constructor({ address, credentials, idleMs = 15_000, patienceMs = 10_000, now = Date.now }: S3Options) {
    this.address = address;
    this.place = `${address.url}/${address.prefix}`;
    this.#connection = new S3Connection({ address, credentials, idleMs, now });
    this.#patienceMs = patienceMs;
  }

  /**
   * Resolves with an answer of success or of one of the statuses in `expected`, whose body the caller has to read.
   * @throws {StoreUnavailableError} when the store was away, busy or too slow for the whole time of patience
   * @throws {ObjectStoreRefusedError} when it refused
   */
  async request(asked: S3Request, expected: readonly number[] = []): Promise<S3Answer> {
    const deadline = performance.now() + this.#patienceMs;
    let isClockAdjusted = false;
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.#attempt(asked, expected, attempts);
      if ('status' in outcome) return outcome;
      if (outcome.isClockWrong && !isClockAdjusted) {
        isClockAdjusted = true;
        continue;
      }
      const pause = pauseAfter(attempts);
      if (!outcome.isPassing || performance.now() + pause > deadline) throw outcome.error;
      await wait(pause);
    }
  }

  /** The same, with the body as text. */
  async text(
    asked: S3Request,
    expected: readonly number[] = [],
  ): Promise<S3Answer & { readonly text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.request(asked, expected);
      try {
        return { ...answer, text: await textOf(answer.message) };
      } catch (error) {
        if (attempt === 3) throw this.away(error);
      }
    }
  }

  /** The error for a connection that failed. */
  away(error: unknown): Error {
    return new StoreUnavailableError(this.place, reasonOf(error), { cause: error });
  }

  close(): void {
    this.#connection.close();
  }

  async #attempt(
    asked: S3Request,
    expected: readonly number[],
    attempts: number,
  ): Promise<S3Answer | Failure> {
    let message: IncomingMessage;
    let text: string;
    try {
      message = await this.#connection.send(asked);
      const status = message.statusCode ?? 0;
      if (status < 300 || expected.includes(status)) return { status, message, attempts };
      text = await textOf(message);
    } catch (error) {
      return { error: this.away(error), isPassing: !FOR_GOOD.test(codeOf(error)), isClockWrong: false };
    }
    const status = message.statusCode ?? 0;
    const code = elementText(text, 'Code') ?? '';
    const reason = elementText(text, 'Message') ?? message.statusMessage ?? '';
    // The answer to a HEAD has no body to give the reason.
    const isClockWrong = status === 403 && this.#connection.adjustClock(message);
    if (LATER.has(status) || LATER_CODES.has(code)) {
      const error = new StoreUnavailableError(this.place, `${status} ${code} ${reason}`.trim());
      return { error, isPassing: true, isClockWrong };
    }
    const error = new ObjectStoreRefusedError(this.place, status, code, reason);
    return { error, isPassing: false, isClockWrong };
  }
}

interface Failure {
  readonly error: Error;
  readonly isPassing: boolean;
  readonly isClockWrong: boolean;
}

/** Pauses double and are spread, so that many processes do not come back at the same moment. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
}

/** An error of the system in words; several addresses of one name may have failed for several reasons. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  return message.includes(code)
    ? message || String(error)
    : [code, message].filter((each) => each !== '').join(': ');
}

/** Reads a body that is of no interest, so that its connection is used again. */
export async function drained(message: IncomingMessage): Promise<void> {
  for await (const piece of message) void piece;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > MAX_TEXT_BYTES) throw new Error(`an answer has more than ${MAX_TEXT_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
