/** So little more or less is nothing to hurry for. */
const LITTLE = 1 / 32;

/** What may be held at most. Whoever is over the limit may delete, and not add: what was held then is the most from there on. */
export class Allowance {
  readonly #limit: number;
  #most: number;
  /** As it was last measured. */
  held = Number.POSITIVE_INFINITY;

  /** @param limit null: nothing is too much */
  constructor(limit: number | null) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#most = this.#limit;
  }

  get isOver(): boolean {
    return this.held > this.#most;
  }

  /** How large a part of what is left an amount is; 1 or more is too much. */
  shareOfRoom(amount: number): number {
    if (this.#limit === Number.POSITIVE_INFINITY || amount <= 0) return 0;
    return amount / Math.max(this.#most - this.held, this.#limit * LITTLE);
  }

  /** After a measure; `ended`: what wrote was ended for it. */
  settle(ended: boolean): void {
    this.#most = Math.max(this.#limit, Math.min(this.held, ended ? this.held : this.#most));
  }
}
