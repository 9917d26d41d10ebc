/** Answers the time in milliseconds since the epoch. */
export type Clock = () => number;

/** A clock that goes back by less than this is being adjusted, which needs no warning. */
const NOTICED_MS = 1000;

interface EngineClockOptions {
  /** The machine's time of day in ms since the epoch, which may step either way. */
  readonly wall: Clock;
  /** Ms since some moment; they never go back. */
  readonly elapsed: () => number;
  /** The engine's time when its data was last written, if it was. */
  readonly lastKnown: number | undefined;
  /** Called when the machine's clock begins to be behind the engine's time, with the difference in ms. */
  readonly onBehind: (ms: number) => void;
}

/**
 * The engine's time: it follows the machine's clock unless that clock goes back. The engine's time then continues at
 * the pace of real time until the machine's clock has caught up, also over a restart. So deadlines come neither early
 * nor late, and no history goes back in time. A clock that leaps ahead is followed.
 */
export class EngineClock {
  readonly #options: EngineClockOptions;
  #time: number;
  #at: number;
  #skippedMs = 0;
  #isBehind = false;

  constructor(options: EngineClockOptions) {
    this.#options = options;
    this.#time = options.lastKnown ?? 0;
    this.#at = options.elapsed();
  }

  /** Whole ms since the epoch. */
  readonly now: Clock = () => {
    const { wall, elapsed, onBehind } = this.#options;
    const at = elapsed();
    const steady = this.#time + (at - this.#at);
    const wallTime = wall();
    this.#time = Math.max(steady, wallTime);
    this.#at = at;
    const behind = steady - this.#skippedMs - wallTime;
    if (behind > NOTICED_MS && !this.#isBehind) onBehind(behind);
    this.#isBehind = behind > NOTICED_MS;
    return Math.floor(this.#time);
  };

  /** Moves the time on, for tests that do not want to wait; it goes on from there at the pace of real time. */
  skipTo(time: number): void {
    const ahead = time - this.now();
    if (ahead <= 0) return;
    this.#time = time;
    this.#skippedMs += ahead;
  }
}
