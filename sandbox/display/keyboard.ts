import type { Guest } from '../guest-protocol/guest.ts';
import { inputProcessed } from './input-processed.ts';
import type { XConnection } from './connection.ts';
import type { Keymap, Stroke } from './keymap.ts';
import { KEYSYM, keysymOfChar, keysymOfName } from './keysyms.ts';
import { type Complaint, Xdotool } from './xdotool.ts';

/** After this many characters the program in front and the signal are checked. */
const CHUNK = 200;
const LAYOUT_CHANGED =
  'the keyboard layout was changed while the text was typed: look at what has arrived before going on\n';

interface Keys {
  readonly connection: XConnection;
  readonly keymap: Keymap;
}

/**
 * The keyboard, by XTEST over the display's own connection. This is the extension that xdotool uses, without a process
 * for each call, and with spare keys for the characters that the layout lacks (see Keymap).
 */
export class Keyboard {
  /** xdotool gives the reference's exact messages and handles keys that are not known here. */
  readonly xdotool: Xdotool;
  readonly #connect: () => Promise<Keys>;

  constructor(guest: Guest, connect: () => Promise<Keys>) {
    this.#connect = connect;
    this.xdotool = new Xdotool(guest, () => this.releaseAll());
  }

  /**
   * Types text as a person would, whatever the layout. A line end of any kind is Return and `\t` is Tab. Other control
   * characters except backspace, escape and delete have no key and are left out. Every 200 characters, and before a key
   * changes its meaning, the program in front is waited for if it answers pings. One that does not is given time only
   * where a key changes its meaning (see inputProcessed).
   */
  async type(text: string, signal?: AbortSignal): Promise<Complaint> {
    const keys = await this.#connect();
    const { connection, keymap } = keys;
    await keymap.refresh();
    if (keymap.locked) await this.#tap(keys, KEYSYM.Caps_Lock);
    let listens = true;
    const wait = async (unanswered: 'wait' | 'go on'): Promise<void> => {
      if (listens) listens = await inputProcessed(connection, signal, unanswered);
    };
    for (const keysyms of pieces(text, CHUNK, keymap)) {
      if (signal?.aborted === true) break;
      await keymap.bind(keysyms, (moment) => wait(withoutAnswer(moment)));
      stroke(connection, keymap, keysyms);
      await connection.sync();
      if (keysyms.length === CHUNK) await wait('go on');
    }
    const locked = keymap.locked;
    const intact = await keymap.refresh();
    if (locked) await this.#tap(keys, KEYSYM.Caps_Lock);
    return intact ? '' : LAYOUT_CHANGED;
  }

  /**
   * Presses keys or combinations one after another, in xdotool's syntax (`['ctrl+a', 'Delete']`), all of it `times`
   * times.
   */
  async press(combinations: readonly string[], signal?: AbortSignal, times = 1): Promise<Complaint> {
    const keys = await this.#connect();
    const strokes = await this.#strokes(keys, combinations);
    for (let i = 0; i < times && signal?.aborted !== true; i++) {
      if (strokes === undefined) {
        const complaint = await this.xdotool.run(['key', '--', ...combinations], signal);
        if (complaint !== '') return complaint;
        continue;
      }
      for (const combination of strokes) {
        pressAll(keys, combination, true);
        pressAll(keys, combination, false);
        await keys.connection.sync();
      }
    }
    return '';
  }

  /**
   * Holds a combination (`ctrl+shift`) down during `work`. When a name is no key, nothing is done and a complaint is
   * returned.
   */
  async holding(combinations: readonly string[], work: () => Promise<Complaint | void>): Promise<Complaint> {
    const keys = await this.#connect();
    const strokes = await this.#strokes(keys, combinations);
    // xdotool says which names are no keys.
    if (strokes === undefined) return this.xdotool.run(['key', '--', ...combinations]);
    pressAll(keys, strokes.flat(), true);
    try {
      await keys.connection.sync();
      return (await work()) ?? '';
    } finally {
      pressAll(keys, strokes.flat(), false);
      await keys.connection.sync();
    }
  }

  /** Binds the keys of combinations that the layout lacks. Returns false when a name is no key. */
  async ready(combinations: readonly string[]): Promise<boolean> {
    return (await this.#strokes(await this.#connect(), combinations)) !== undefined;
  }

  /** Binds the characters of `text` to keys, for a program that types them itself. */
  async prepare(text: string): Promise<void> {
    const { connection, keymap } = await this.#connect();
    await keymap.refresh();
    for (const keysyms of pieces(text, keymap.capacity, keymap))
      await keymap.bind(keysyms, aroundReuse(connection));
  }

  /** Releases every key that is down, e.g. after xdotool was ended in the middle of a combination. */
  async releaseAll(): Promise<void> {
    const { connection } = await this.#connect();
    const keys = await connection.request<unknown>('QueryKeymap', (done) => connection.x.QueryKeymap(done));
    if (!(keys instanceof Uint8Array)) return;
    for (let keycode = connection.keycodes.first; keycode <= connection.keycodes.last; keycode++)
      if (((keys[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0) send(connection, keycode, false);
    await connection.sync();
  }

  /**
   * Returns how each combination is pressed, and binds keys that the layout lacks. Returns undefined when a name is no
   * key.
   */
  async #strokes(
    { connection, keymap }: Keys,
    combinations: readonly string[],
  ): Promise<Stroke[][] | undefined> {
    const keysyms = combinations.map((combination) => combination.split('+').map(keysymOfName));
    const known = keysyms.flat().filter((keysym) => keysym !== undefined);
    if (known.length < keysyms.flat().length) return undefined;
    await keymap.refresh();
    await keymap.bind(known, aroundReuse(connection));
    return keysyms.map((names) =>
      names.flatMap((keysym) => (keysym === undefined ? [] : (keymap.strokeOf(keysym) ?? []))),
    );
  }

  async #tap({ connection, keymap }: Keys, keysym: number): Promise<void> {
    const key = keymap.strokeOf(keysym);
    if (key === undefined) return;
    send(connection, key.keycode, true);
    send(connection, key.keycode, false);
    await connection.sync();
  }
}

/**
 * A program that answers no pings is given time before a key changes its meaning, because it may still have to read it.
 */
function withoutAnswer(moment: 'before' | 'after'): 'wait' | 'go on' {
  return moment === 'before' ? 'wait' : 'go on';
}

function aroundReuse(connection: XConnection): (moment: 'before' | 'after') => Promise<void> {
  return async (moment) => void (await inputProcessed(connection, undefined, withoutAnswer(moment)));
}

function send({ xtest, root }: XConnection, keycode: number, down: boolean): void {
  xtest.FakeInput(down ? xtest.KeyPress : xtest.KeyRelease, keycode, 0, root, 0, 0);
}

/** Presses the keys of a combination in order, or releases them in reverse. Shift is added where a key needs it. */
function pressAll({ connection, keymap }: Keys, combination: readonly Stroke[], down: boolean): void {
  const shift = keymap.strokeOf(KEYSYM.Shift_L)?.keycode;
  const codes = combination.flatMap(({ keycode, shift: needsShift }) =>
    needsShift && shift !== undefined ? [shift, keycode] : [keycode],
  );
  const once = codes.filter((code, index) => code !== shift || codes.indexOf(code) === index);
  for (const keycode of down ? once : once.toReversed()) send(connection, keycode, down);
}

/** Types keysyms that all have a key, with Shift held over neighbours that need it. */
function stroke(connection: XConnection, keymap: Keymap, keysyms: readonly number[]): void {
  const shift = keymap.strokeOf(KEYSYM.Shift_L)?.keycode ?? 0;
  let shifted = false;
  for (const keysym of keysyms) {
    const key = keymap.strokeOf(keysym);
    if (key === undefined) continue;
    if (key.shift !== shifted) send(connection, shift, (shifted = key.shift));
    send(connection, key.keycode, true);
    send(connection, key.keycode, false);
  }
  if (shifted) send(connection, shift, false);
}

/** Splits text into pieces of at most `size` keys whose characters outside the layout can all be bound at once. */
function* pieces(text: string, size: number, keymap: Keymap): Generator<number[]> {
  let piece: number[] = [];
  let extra = new Set<number>();
  // A lone surrogate is no character and becomes U+FFFD through UTF-8.
  for (const char of Buffer.from(text.replaceAll('\r\n', '\r')).toString()) {
    const keysym = keysymOfChar(char);
    if (keysym === undefined) continue;
    const isNew = keymap.lacks(keysym) && !extra.has(keysym);
    if (piece.length >= size || (isNew && extra.size >= keymap.capacity)) {
      yield piece;
      piece = [];
      extra = new Set();
    }
    if (keymap.lacks(keysym)) extra.add(keysym);
    piece.push(keysym);
  }
  if (piece.length > 0) yield piece;
}
