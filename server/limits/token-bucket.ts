const MINUTE_MS = 60_000;

/** How many units rounding may take off a level. They are allowed for, so that a wait that was told is long enough. */
const ROUNDING = 1e-9;

/**
 * A bucket that is refilled evenly by so many units a minute and never holds more than a minute's worth. What was used is also
 * told afterwards, so the level may fall below zero, which is then waited for.
 */
export class TokenBucket {
  /** Units a minute, and the most that the bucket holds. */
  readonly limit: number;
  readonly #now: () => number;
  #level: number;
  #at: number;

  constructor(limit: number, now: () => number) {
    this.limit = limit;
    this.#now = now;
    this.#level = limit;
    this.#at = now();
  }

  /** The whole units that are left; zero while the level is below zero. */
  get remaining(): number {
    return Math.max(0, Math.floor(this.#refilled() + ROUNDING));
  }

  /** When it will be full again, in ms since the epoch. */
  get fullAt(): number {
    return this.#now() + this.#msFor(this.limit - this.#refilled());
  }

  /** Whether so much may be taken now. More than a minute's worth never may. */
  allows(amount: number): boolean {
    return this.#refilled() + ROUNDING >= amount;
  }

  /** Milliseconds until so much may be taken, or until the bucket is full where so much never may be. */
  msUntil(amount: number): number {
    return this.#msFor(Math.min(amount, this.limit) - this.#refilled());
  }

  /** Takes units, or gives them back when negative. */
  take(amount: number): void {
    this.#level = Math.min(this.limit, this.#refilled() - amount);
  }

  /** Sets what is in it now, where that is known from elsewhere. */
  set(level: number): void {
    this.#level = Math.min(this.limit, level);
    this.#at = this.#now();
  }

  #refilled(): number {
    const now = this.#now();
    const elapsed = Math.max(0, now - this.#at);
    this.#level = Math.min(this.limit, this.#level + (elapsed * this.limit) / MINUTE_MS);
    this.#at = now;
    return this.#level;
  }

  #msFor(units: number): number {
    return Math.max(0, Math.ceil(((units - ROUNDING) * MINUTE_MS) / this.limit));
  }
}
