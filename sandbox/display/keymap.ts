import type { PointerReply } from 'x11';
import type { XConnection } from './connection.ts';

/** Left alone: toolkits that count evdev codes from here take it for no key at all. */
const RESERVED_KEYCODE = 8;
/**
 * Left alone too: what a browser does at these keys (copy, paste, cut, favourites, back, forward, home, reload, search, go)
 * it does by the keycode, whatever the map says of it. Found by trying all of them in Chromium.
 */
const ACTING_KEYCODES: ReadonlySet<number> = new Set([141, 143, 145, 164, 166, 167, 180, 181, 225, 226]);
/** Keysyms of a vendor's own: the keys for volume, mail, sleep that many keyboards have and no sandbox needs. */
const VENDOR = { first: 0x10080000, last: 0x1008ffff } as const;
/** Digits and signs of the keypad. */
const KEYPAD = { first: 0xff80, last: 0xffbd } as const;
const PRINT = 0xff61;
const PAUSE = 0xff13;

/** How a keysym is typed. */
export interface Stroke {
  readonly keycode: number;
  readonly shift: boolean;
}

/**
 * Which key types what, and keys for what the keyboard layout lacks. Such characters get a key on keycodes that the layout
 * leaves empty or has for a vendor's extras (about 100, each with and without Shift). The binding stays until its key is
 * needed for another character, the one unused for longest first: a program that reads the map a moment after a key was
 * typed must still find the same meaning.
 */
export class Keymap {
  readonly #connection: XConnection;
  #layout = new Map<number, Stroke>();
  /** Keycodes that are ours to give, those that no layout uses first. */
  #spare: readonly number[] = [];
  /** Bound keysyms to their place, twice the keycode and one more with Shift; oldest use first. */
  readonly #bound = new Map<number, number>();
  /** What was last written to a keycode. */
  readonly #written = new Map<number, readonly [number, number]>();
  #locked = false;

  private constructor(connection: XConnection) {
    this.#connection = connection;
  }

  static async read(connection: XConnection): Promise<Keymap> {
    const keymap = new Keymap(connection);
    await keymap.refresh();
    return keymap;
  }

  /** How many characters outside of the layout can have a key at the same time. */
  get capacity(): number {
    return this.#spare.length * 2;
  }

  /** Whether Caps Lock is on, as of the last `refresh`. */
  get locked(): boolean {
    return this.#locked;
  }

  /** Whether the layout itself lacks `keysym`. */
  lacks(keysym: number): boolean {
    return !this.#layout.has(keysym);
  }

  /** How `keysym` is typed now; undefined when it must be bound first. */
  strokeOf(keysym: number): Stroke | undefined {
    const place = this.#bound.get(keysym);
    if (place === undefined) return this.#layout.get(keysym);
    return { keycode: place >> 1, shift: (place & 1) === 1 };
  }

  /**
   * Reads the layout as it is now: the agent may have changed it. False when somebody else has written over a key that was
   * bound here.
   */
  async refresh(): Promise<boolean> {
    const { x, root, keycodes } = this.#connection;
    const { first, last } = keycodes;
    const [rows, { keyMask }] = await Promise.all([
      this.#connection.request<number[][]>('GetKeyboardMapping', (done) =>
        x.GetKeyboardMapping(first, last - first + 1, done),
      ),
      this.#connection.request<PointerReply>('QueryPointer', (done) => x.QueryPointer(root, done)),
    ]);
    this.#locked = (keyMask & 2) !== 0;
    const group = (keyMask >> 13) & 3;
    this.#layout = new Map();
    const empty: number[] = [];
    const vendor: number[] = [];
    let intact = true;
    rows.forEach((row, index) => {
      const keycode = first + index;
      const written = this.#written.get(keycode);
      const isOurs = written !== undefined && written[0] === row[0] && written[1] === row[1];
      if (written !== undefined && !isOurs) {
        intact = false;
        this.#forget(keycode);
      }
      const used = row.filter((keysym) => keysym !== 0);
      if (keycode === RESERVED_KEYCODE || ACTING_KEYCODES.has(keycode)) return;
      if (isOurs || used.every(isVendor)) (used.length === 0 || isOurs ? empty : vendor).push(keycode);
      else this.#learn(keycode, row, group);
    });
    // The higher the keycode, the fewer programs have a meaning of their own for it.
    this.#spare = [...empty, ...vendor.toReversed()];
    return intact;
  }

  /**
   * Sees to it that each of `keysyms` (at most `capacity` that the layout lacks) has a key. When keys have to change their
   * meaning `reuse` is waited for before, since what was typed with them must have been read by then, and after: a program
   * may hear of it on another connection than that of its keys (Chromium's GTK has one), and then it must not come second.
   */
  async bind(
    keysyms: readonly number[],
    reuse: (moment: 'before' | 'after') => Promise<void>,
  ): Promise<void> {
    const wanted = new Set(keysyms.filter((keysym) => this.lacks(keysym)));
    const missing: number[] = [];
    for (const keysym of wanted) {
      const place = this.#bound.get(keysym);
      if (place === undefined) {
        missing.push(keysym);
        continue;
      }
      this.#bound.delete(keysym);
      this.#bound.set(keysym, place);
    }
    if (missing.length === 0) return;
    const reuses = this.#bound.size + missing.length > this.capacity && this.#bound.size > 0;
    if (reuses) await reuse('before');
    const taken = new Set(this.#bound.values());
    const free = [0, 1]
      .flatMap((level) => this.#spare.map((keycode) => keycode * 2 + level))
      .filter((place) => !taken.has(place));
    const changed = new Set<number>();
    for (const keysym of missing) {
      const place = free.shift() ?? this.#release(wanted);
      if (place === undefined) break;
      this.#bound.set(keysym, place);
      changed.add(place >> 1);
    }
    this.#write(changed);
    await this.#connection.sync();
    if (reuses) await reuse('after');
  }

  #learn(keycode: number, row: readonly number[], group: number): void {
    // A key without a second group has its first one there too.
    const column = group === 1 && (row[2] ?? 0) !== 0 ? 2 : 0;
    const [plain = 0, shifted = 0] = row.slice(column, column + 2);
    // Their second meaning is not Shift's: Print and Pause have Alt for it, the keypad Num Lock.
    const isSpecial = plain === PRINT || plain === PAUSE || isKeypad(shifted);
    for (const [keysym, shift] of [
      [plain, false],
      [isSpecial ? 0 : shifted, true],
    ] as const)
      if (keysym !== 0 && !this.#layout.has(keysym)) this.#layout.set(keysym, { keycode, shift });
  }

  #forget(keycode: number): void {
    this.#written.delete(keycode);
    for (const [keysym, place] of this.#bound) if (place >> 1 === keycode) this.#bound.delete(keysym);
  }

  /** Frees the place that was used longest ago by a keysym not in `keep`. */
  #release(keep: ReadonlySet<number>): number | undefined {
    for (const [keysym, place] of this.#bound) {
      if (keep.has(keysym)) continue;
      this.#bound.delete(keysym);
      return place;
    }
    return undefined;
  }

  /** Neighbouring keycodes in one request: every program hears of every request, and reads the map again. */
  #write(changed: ReadonlySet<number>): void {
    const levels = new Map<number, [number, number]>();
    for (const [keysym, place] of this.#bound) {
      const keycode = place >> 1;
      const pair = levels.get(keycode) ?? [0, 0];
      pair[place & 1] = keysym;
      levels.set(keycode, pair);
    }
    const order = [...changed].toSorted((a, b) => a - b);
    for (let start = 0; start < order.length;) {
      const first = order[start] ?? 0;
      const flat: number[] = [];
      let next = start;
      for (; next < order.length && order[next] === first + next - start; next++) {
        const [plain, shifted] = levels.get(order[next] ?? 0) ?? [0, 0];
        // An empty level would be read as the other case of the first; both groups alike: a program may read either.
        const pair = [plain === 0 ? shifted : plain, shifted === 0 ? plain : shifted] as const;
        this.#written.set(order[next] ?? 0, pair);
        flat.push(...pair, ...pair);
      }
      this.#connection.x.ChangeKeyboardMapping(first, 4, flat);
      start = next;
    }
  }
}

function isKeypad(keysym: number): boolean {
  return keysym >= KEYPAD.first && keysym <= KEYPAD.last;
}

function isVendor(keysym: number): boolean {
  return keysym >= VENDOR.first && keysym <= VENDOR.last;
}
