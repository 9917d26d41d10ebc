import type { Guest } from '../guest/guest.ts';
import type { XConnection } from './connection.ts';
import { keysymOfChar, keysymOfName, type Keymap } from './keymap.ts';
import { pause } from './settle.ts';

/** How long the programs get to read what was typed before a key changes its meaning. */
const REUSE_MS = 120;
const XDOTOOL_TIMEOUT_MS = 120_000;

export interface TypingPace {
  /** Characters a call of xdotool: an interrupt takes effect between calls or by ending one. */
  readonly chunk: number;
  /** Pause between two keys, as xdotool's `--delay`. */
  readonly delayMs: number;
}

/** What xdotool had to say; empty when all went well. */
export type Complaint = string;

/** The keyboard, by the real xdotool inside the sandbox: argument lists and standard input only, never a shell. */
export class Keyboard {
  readonly #guest: Guest;
  readonly #connect: () => Promise<{ connection: XConnection; keymap: Keymap }>;

  constructor(guest: Guest, connect: () => Promise<{ connection: XConnection; keymap: Keymap }>) {
    this.#guest = guest;
    this.#connect = connect;
  }

  /**
   * Types text as a person would: a line end of any kind is Return (left alone, xdotool would press Linefeed, which few
   * programs know), `\t` is Tab. Any Unicode text: what the layout lacks gets keys first
   * (see Keymap). The text travels on xdotool's standard input, so neither its length nor a leading dash matters.
   */
  async type(text: string, pace: TypingPace, signal?: AbortSignal): Promise<Complaint> {
    const { keymap } = await this.#connect();
    let complaint = '';
    for (const chunk of chunks(text, pace.chunk, keymap)) {
      if (signal?.aborted === true) break;
      await keymap.bind(Array.from(chunk).filter(isPrintable).map(keysymOfChar), () =>
        pause(REUSE_MS, signal),
      );
      complaint += await this.#xdotool(
        ['type', '--delay', String(pace.delayMs), '--file', '-'],
        chunk,
        signal,
      );
    }
    return complaint;
  }

  /** Presses keys or combinations one after another, in xdotool's syntax: `['ctrl+a', 'Delete']`. */
  async press(combinations: readonly string[], signal?: AbortSignal): Promise<Complaint> {
    const { keymap } = await this.#connect();
    const keysyms = combinations.flatMap((combination) => combination.split('+')).map(keysymOfName);
    await keymap.bind(
      keysyms.filter((keysym) => keysym !== undefined),
      () => pause(REUSE_MS, signal),
    );
    return this.#xdotool(['key', '--', ...combinations], undefined, signal);
  }

  /** Lets go of every key that is down, e.g. after xdotool was ended in the middle of a combination. */
  async releaseAll(): Promise<void> {
    const { connection } = await this.#connect();
    const keys = await connection.request<unknown>('QueryKeymap', (done) => connection.x.QueryKeymap(done));
    if (!(keys instanceof Uint8Array)) return;
    const { xtest, root } = connection;
    for (let keycode = connection.keycodes.first; keycode <= connection.keycodes.last; keycode++) {
      if (((keys[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0)
        xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
    }
    await connection.sync();
  }

  async #xdotool(
    args: readonly string[],
    stdin: string | undefined,
    signal?: AbortSignal,
  ): Promise<Complaint> {
    const result = await this.#guest.run(['xdotool', ...args], {
      // xdotool reads its text by the locale's encoding.
      env: { LC_ALL: 'C.UTF-8' },
      timeoutMs: XDOTOOL_TIMEOUT_MS,
      ...(stdin === undefined ? {} : { stdin }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.code === null) await this.releaseAll();
    const complaint = Buffer.from(result.stderr).toString('utf8');
    if (signal?.aborted === true) return complaint;
    if (result.timedOut) return `${complaint}xdotool did not end within ${XDOTOOL_TIMEOUT_MS / 1000} s\n`;
    if (result.code === null && complaint === '') return 'xdotool was ended by a signal\n';
    if (result.code !== 0 && complaint === '') return `xdotool has exited with code ${result.code}\n`;
    return complaint;
  }
}

function isPrintable(char: string): boolean {
  return char >= ' ' && char !== '\x7f';
}

/** Cuts text into pieces of at most `size` characters whose characters outside of the layout all fit on keys at once. */
function* chunks(text: string, size: number, keymap: Keymap): Generator<string> {
  let chunk = '';
  let length = 0;
  let extra = new Set<number>();
  const typed = text.replaceAll('\0', '').replaceAll(/\r\n|\n/g, '\r');
  // A lone surrogate is no character: by way of UTF-8 it becomes U+FFFD. A NUL has no key at all.
  for (const char of Buffer.from(typed).toString()) {
    const keysym = keysymOfChar(char);
    const isExtra = isPrintable(char) && keymap.lacks(keysym) && !extra.has(keysym);
    if (length >= size || (isExtra && extra.size >= keymap.capacity)) {
      yield chunk;
      chunk = '';
      length = 0;
      extra = new Set();
    }
    if (isPrintable(char) && keymap.lacks(keysym)) extra.add(keysym);
    chunk += char;
    length++;
  }
  if (chunk !== '') yield chunk;
}
