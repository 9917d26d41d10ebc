/** Below this share of the limit, free room does not make a growth urgent. */
const LITTLE = 1 / 32;

/** The most that may be held. Over the limit files may be deleted and not added: the amount held becomes the most. */
export class Allowance {
  readonly #limit: number;
  #most: number;
  /** The amount that was last measured. */
  held = Number.POSITIVE_INFINITY;

  /** @param limit null means no limit */
  constructor(limit: number | null) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#most = this.#limit;
  }

  get isOver(): boolean {
    return this.held > this.#most;
  }

  /** The share of the remaining room that an amount takes; 1 or more is too much. */
  shareOfRoom(amount: number): number {
    if (this.#limit === Number.POSITIVE_INFINITY || amount <= 0) return 0;
    return amount / Math.max(this.#most - this.held, this.#limit * LITTLE);
  }

  /** Updates the most after a measurement; `ended` says that the writing programs were ended because of it. */
  settle(ended: boolean): void {
    this.#most = Math.max(this.#limit, Math.min(this.held, ended ? this.held : this.#most));
  }
}
