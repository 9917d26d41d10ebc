import type { Clock } from './types.ts';

/** Below this a clock that goes back is one that is being set right, as clocks always are. */
const NOTICED_MS = 1000;

export interface EngineClockOptions {
  /** What the machine says the time is, in ms since the epoch: may step either way. */
  readonly wall: Clock;
  /** Ms since some moment, which never go back. */
  readonly elapsed: () => number;
  /** The engine's time when its data was last written, if it was. */
  readonly lastKnown: number | undefined;
  /** The machine's clock turned out to be behind by so many ms; called when that begins. */
  readonly onBehind: (ms: number) => void;
}

/**
 * The engine's time: what the machine's clock says, unless that went back. Then it goes on from where it was, at the pace of
 * real time, until the machine's clock has caught up: what waits for a deadline waits as long as it would have, also over a
 * restart, and no history goes back in time. A clock that leaps ahead is followed.
 */
export class EngineClock {
  readonly #options: EngineClockOptions;
  #time: number;
  #at: number;
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
    const told = wall();
    this.#time = Math.max(steady, told);
    this.#at = at;
    const behind = steady - told;
    if (behind > NOTICED_MS && !this.#isBehind) onBehind(behind);
    this.#isBehind = behind > NOTICED_MS;
    return Math.floor(this.#time);
  };
}
