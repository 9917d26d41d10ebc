import type { Guest } from '../guest-protocol/guest.ts';

const TIMEOUT_MS = 120_000;

/** The messages of xdotool; empty when it succeeded. */
export type Complaint = string;

/**
 * The real xdotool inside the sandbox, for its exact messages and its unusual keys. It is run by argument lists and
 * standard input, never by a shell.
 */
export class Xdotool {
  readonly #guest: Guest;
  readonly #releaseKeys: () => Promise<void>;

  /** `releaseKeys` is called when xdotool was ended in the middle of its work. */
  constructor(guest: Guest, releaseKeys: () => Promise<void>) {
    this.#guest = guest;
    this.#releaseKeys = releaseKeys;
  }

  /** Types text from standard input, so neither its length nor a leading dash matters. */
  type(text: string, delayMs: number, signal?: AbortSignal): Promise<Complaint> {
    return this.run(['type', '--delay', String(delayMs), '--file', '-'], signal, text);
  }

  /** Runs commands in xdotool's syntax, e.g. `['click', '--repeat', '2', '1']`. */
  async run(args: readonly string[], signal?: AbortSignal, stdin?: string): Promise<Complaint> {
    const result = await this.#guest.run(['xdotool', ...args], {
      // xdotool decodes its text by the locale's encoding.
      env: { LC_ALL: 'C.UTF-8' },
      timeoutMs: TIMEOUT_MS,
      ...(stdin === undefined ? {} : { stdin }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.code === null) await this.#releaseKeys();
    const complaint = Buffer.from(result.stderr).toString('utf8');
    if (signal?.aborted === true) return complaint;
    if (result.timedOut) return `${complaint}xdotool did not end within ${TIMEOUT_MS / 1000} s\n`;
    if (result.code === null && complaint === '') return 'xdotool was ended by a signal\n';
    if (result.code !== 0 && complaint === '') return `xdotool has exited with code ${result.code}\n`;
    return complaint;
  }
}
