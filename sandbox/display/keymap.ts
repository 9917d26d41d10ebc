import x11 from 'x11';
import type { XConnection } from './connection.ts';

/** Where the Unicode range of keysyms begins (X protocol, appendix A). */
const UNICODE_KEYSYM = 0x01000000;
/** Left alone: toolkits that count evdev codes from here take it for no key at all. */
const RESERVED_KEYCODE = 8;

/** The keysym that stands for a character: Latin-1 stands for itself, the rest lies in the Unicode range. */
export function keysymOfChar(char: string): number {
  return keysymOfPoint(char.codePointAt(0) ?? 0);
}

function keysymOfPoint(point: number): number {
  const latin1 = (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff);
  return latin1 ? point : UNICODE_KEYSYM + point;
}

/** The keysym of a key by its X name (`Return`, `eacute`, `U20AC`, a single character), or undefined. */
export function keysymOfName(name: string): number | undefined {
  const known = x11.keySyms[`XK_${name}`];
  if (known !== undefined) return known.code;
  const unicode = /^U([0-9A-Fa-f]{4,6})$/.exec(name);
  if (unicode?.[1] !== undefined) return keysymOfPoint(Number.parseInt(unicode[1], 16));
  return Array.from(name).length === 1 ? keysymOfChar(name) : undefined;
}

/**
 * Gives characters that the keyboard layout lacks a key of their own, on keycodes that the layout leaves empty, before they
 * are typed. xdotool would bind and unbind a key around every such character, and a program that reads the map a moment
 * later sees another character or none; here the binding stays until its key is needed for another character, the one
 * unused for longest first.
 */
export class Keymap {
  readonly #connection: XConnection;
  /** Keysyms that the layout itself can produce without AltGr or a second group. */
  readonly #layout = new Set<number>();
  /** Free places, each a keycode with or without Shift. */
  readonly #spare: { readonly keycode: number; readonly shifted: boolean }[] = [];
  /** Bound keysyms to the index of their place; oldest use first. */
  readonly #bound = new Map<number, number>();

  private constructor(connection: XConnection, rows: readonly (readonly number[])[]) {
    this.#connection = connection;
    const keycodes: number[] = [];
    rows.forEach((row, index) => {
      const keycode = connection.keycodes.first + index;
      for (const keysym of row.slice(0, 2)) if (keysym !== 0) this.#layout.add(keysym);
      if (keycode !== RESERVED_KEYCODE && row.every((keysym) => keysym === 0)) keycodes.push(keycode);
    });
    for (const shifted of [false, true])
      for (const keycode of keycodes) this.#spare.push({ keycode, shifted });
  }

  static async read(connection: XConnection): Promise<Keymap> {
    const { first, last } = connection.keycodes;
    const rows = await connection.request<number[][]>('GetKeyboardMapping', (done) =>
      connection.x.GetKeyboardMapping(first, last - first + 1, done),
    );
    return new Keymap(connection, rows);
  }

  /** How many characters outside of the layout can have a key at the same time. */
  get capacity(): number {
    return this.#spare.length;
  }

  /** Whether the layout itself lacks `keysym`. */
  lacks(keysym: number): boolean {
    return !this.#layout.has(keysym);
  }

  /**
   * Sees to it that each of `keysyms` (at most `capacity` that the layout lacks) has a key. `beforeReuse` is waited for when
   * a key has to change its meaning: what was typed with it must have been read by then.
   */
  async bind(keysyms: readonly number[], beforeReuse: () => Promise<void>): Promise<void> {
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
    if (this.#bound.size + missing.length > this.#spare.length && this.#bound.size > 0) await beforeReuse();
    const changed = new Set<number>();
    for (const keysym of missing) {
      const place = this.#bound.size < this.#spare.length ? this.#bound.size : this.#release(wanted);
      if (place === undefined) break;
      this.#bound.set(keysym, place);
      const keycode = this.#spare[place]?.keycode;
      if (keycode !== undefined) changed.add(keycode);
    }
    for (const keycode of changed) this.#write(keycode);
    await this.#connection.sync();
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

  #write(keycode: number): void {
    const levels = [0, 0];
    for (const [keysym, place] of this.#bound) {
      const spare = this.#spare[place];
      if (spare?.keycode === keycode) levels[spare.shifted ? 1 : 0] = keysym;
    }
    // Both groups alike: a program may read either.
    this.#connection.x.ChangeKeyboardMapping(keycode, 4, [...levels, ...levels]);
  }
}
