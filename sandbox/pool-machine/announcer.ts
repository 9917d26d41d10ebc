import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DaemonLog } from '../daemon-log.ts';
import { errorText } from '../error-fields.ts';
import { isProofOf, proofOf } from '../pool-token.ts';
import { REGISTRATION_HEADERS, REGISTRATION_PATH, type Registration } from './protocol.ts';

const EVERY_MS = 5_000;
const ANSWER_MS = 10_000;

interface AnnouncerOptions {
  /** The server's address, e.g. `http://steadyhand:80`. */
  readonly server: string;
  readonly token: string;
  readonly registration: () => Registration;
  readonly log: DaemonLog;
}

/**
 * Registers with the server every few seconds for as long as the process lives, so that a restarted server learns of
 * its machines, and a server that receives nothing knows that a machine is gone. `now` registers at once.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  #wake = new AbortController();
  #registered: boolean | null = null;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    void this.#run();
  }

  now(): void {
    this.#wake.abort();
  }

  async #run(): Promise<never> {
    for (;;) {
      this.#wake = new AbortController();
      await this.#announce().then(
        () => this.#logChange(true, 'registered'),
        (error: unknown) => this.#logChange(false, `not registered: ${withCause(error)}`),
      );
      await pause(EVERY_MS, undefined, { signal: this.#wake.signal }).catch(() => undefined);
    }
  }

  async #announce(): Promise<void> {
    const { server, token, registration } = this.#options;
    const body = JSON.stringify(registration());
    const time = String(Date.now());
    const nonce = randomBytes(16).toString('base64url');
    const answer = await fetch(new URL(REGISTRATION_PATH, server), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [REGISTRATION_HEADERS.time]: time,
        [REGISTRATION_HEADERS.nonce]: nonce,
        [REGISTRATION_HEADERS.proof]: proofOf(token, ['registration', time, nonce, body]),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${server} answered ${answer.status}: ${text.slice(0, 300)}`);
    const proof = answer.headers.get(REGISTRATION_HEADERS.proof) ?? '';
    if (!isProofOf(proof, token, ['registered', nonce, text]))
      throw new Error(`${server} does not know the token`);
  }

  /** Logs only changes, because a line every few seconds would say nothing. */
  #logChange(known: boolean, message: string): void {
    if (known === this.#registered) return;
    this.#registered = known;
    const { log, server } = this.#options;
    if (known) log.info(message, { server });
    else log.error(message, { server });
  }
}

/** The error's message with that of its cause, in which `fetch` gives the reason of a failure. */
function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? errorText(error) : `${errorText(error)}: ${errorText(cause)}`;
}
