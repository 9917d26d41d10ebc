/** How long to wait for the screen to come to rest, in milliseconds. */
export interface SettleTimes {
  /** The least time to wait, within which a program is expected to begin its answer to an input. */
  readonly firstMs: number;
  /** The screen is at rest when nothing that counts has changed for this long. */
  readonly quietMs: number;
  /** After this time only changes in new places count: a blinking caret or a spinner returns to the same place. */
  readonly repeatMs: number;
  /** How long the answer of a program that takes part in the ping protocol is waited for. */
  readonly answerMs: number;
  /** The most time to wait. */
  readonly maxMs: number;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const TILE = 32;
/** A tile that has changed this often is known to be busy. */
const BUSY = 4;
/** A change above this share of the screen is no caret, spinner or clock, and counts for longer. */
const LARGE = 0.05;

/**
 * Decides from the changes seen so far when a screen counts as settled. It is pure: times are given in milliseconds of
 * any monotonic clock.
 *
 * Every change counts at first. After `repeatMs` a small change counts only where the screen has not kept changing, and
 * after twice `repeatMs` this applies to large ones too (a video, a smooth animation). So something that never stops
 * moving costs a bounded wait, while text that runs on or a page that builds up is waited for until `maxMs`.
 */
export class SettleDetector {
  readonly #times: SettleTimes;
  readonly #start: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #screenArea: number;
  readonly #counts: Uint8Array;
  #last: number | undefined;
  /** The time of the program's answer; null while it is awaited, undefined when none is expected. */
  #answer: number | null | undefined;

  constructor(
    times: SettleTimes,
    screen: { readonly width: number; readonly height: number },
    start: number,
  ) {
    this.#times = times;
    this.#start = start;
    this.#columns = Math.ceil(screen.width / TILE);
    this.#rows = Math.ceil(screen.height / TILE);
    this.#screenArea = screen.width * screen.height;
    this.#counts = new Uint8Array(this.#columns * this.#rows);
  }

  /** The screen changed within `area` at time `at`. */
  changed(area: Area, at: number): void {
    const fresh = this.#mark(area);
    const elapsed = at - this.#start;
    const large = area.w * area.h > LARGE * this.#screenArea;
    const counted = fresh || elapsed < this.#times.repeatMs || (large && elapsed < 2 * this.#times.repeatMs);
    if (counted) this.#last = at;
  }

  /** The program in front was asked whether it has dealt with its input. */
  asked(): void {
    this.#answer ??= null;
  }

  /** The program answered at `at`; its changes on the screen now follow. */
  answered(at: number): void {
    this.#answer = at;
  }

  /** The time at which the screen counts as settled if nothing more changes. */
  get deadline(): number {
    const { firstMs, quietMs, answerMs, maxMs } = this.#times;
    const rest = this.#last === undefined ? this.#start : this.#last + quietMs;
    const program =
      this.#answer === undefined
        ? this.#start
        : Math.min(this.#start + answerMs, this.#answer === null ? Infinity : this.#answer + quietMs);
    return Math.min(this.#start + maxMs, Math.max(this.#start + firstMs, rest, program));
  }

  /** Counts a change in every tile it touches. Returns true when one of them is not yet busy. */
  #mark(area: Area): boolean {
    let fresh = false;
    const right = Math.min(this.#columns - 1, Math.floor((area.x + area.w - 1) / TILE));
    const bottom = Math.min(this.#rows - 1, Math.floor((area.y + area.h - 1) / TILE));
    for (let row = Math.max(0, Math.floor(area.y / TILE)); row <= bottom; row++) {
      for (let column = Math.max(0, Math.floor(area.x / TILE)); column <= right; column++) {
        const tile = row * this.#columns + column;
        const count = this.#counts[tile] ?? 0;
        if (count >= BUSY) continue;
        this.#counts[tile] = count + 1;
        fresh = true;
      }
    }
    return fresh;
  }
}
