import type { PointerReply } from 'x11';
import type { XConnection } from './connection.ts';

/** This keycode is not used: toolkits that count evdev codes from here treat it as no key at all. */
const RESERVED_KEYCODE = 8;
/**
 * These keycodes are not used either: a browser performs their action (copy, paste, cut, favourites, back, forward,
 * home, reload, search, go) by the keycode, whatever the map says. They were found by trying all of them in Chromium.
 */
const ACTING_KEYCODES: ReadonlySet<number> = new Set([141, 143, 145, 164, 166, 167, 180, 181, 225, 226]);
/** Vendor keysyms: the keys for volume, mail and sleep that many keyboards have and no sandbox needs. */
const VENDOR = { first: 0x10080000, last: 0x1008ffff } as const;
/** Digits and signs of the keypad. */
const KEYPAD = { first: 0xff80, last: 0xffbd } as const;
const PRINT = 0xff61;
const PAUSE = 0xff13;

/** The key that types a keysym. */
export interface Stroke {
  readonly keycode: number;
  readonly shift: boolean;
}

/**
 * Knows which key types which character, and binds keys to characters that the keyboard layout lacks. It uses keycodes
 * that the layout leaves empty or has for a vendor's extras (about 100, each with and without Shift). A binding stays
 * until its key is needed for another character, and the one unused for longest is reused first: a program that reads
 * the map a moment after a key was typed must still find the same meaning.
 */
export class Keymap {
  readonly #connection: XConnection;
  #layout = new Map<number, Stroke>();
  /** Keycodes that may be bound; those that no layout uses come first. */
  #spare: readonly number[] = [];
  /** Maps bound keysyms to their place, which is twice the keycode, plus one with Shift. The oldest use comes first. */
  readonly #bound = new Map<number, number>();
  /** The keysyms that were last written to each keycode. */
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

  /** How many characters outside the layout can be bound at the same time. */
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

  /** Returns how `keysym` is typed now; undefined when it must be bound first. */
  strokeOf(keysym: number): Stroke | undefined {
    const place = this.#bound.get(keysym);
    if (place === undefined) return this.#layout.get(keysym);
    return { keycode: place >> 1, shift: (place & 1) === 1 };
  }

  /**
   * Reads the current layout, which the agent may have changed. Returns false when somebody else has written over a key
   * that was bound here.
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
    // The higher the keycode, the fewer programs assign a meaning of their own to it.
    this.#spare = [...empty, ...vendor.toReversed()];
    return intact;
  }

  /**
   * Binds each of `keysyms` (of which at most `capacity` may be missing in the layout) to a key. When keys have to
   * change their meaning, `reuse` is awaited before, because what was typed with them must have been read by then. It
   * is awaited again after: a program may hear of the change on another connection than that of its keys (Chromium's
   * GTK has one), and the change must not come second.
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
    // The second meaning of these keys is not Shift's: Print and Pause use Alt for it, the keypad uses Num Lock.
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

  /** Frees the place that was used longest ago by a keysym that is not in `keep`. */
  #release(keep: ReadonlySet<number>): number | undefined {
    for (const [keysym, place] of this.#bound) {
      if (keep.has(keysym)) continue;
      this.#bound.delete(keysym);
      return place;
    }
    return undefined;
  }

  /**
   * Writes neighbouring keycodes in one request, because every program is notified of every request and reads the map
   * again.
   */
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
        // An empty level would be read as the other case of the first. Both groups are alike, because a program may
        // read either.
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
