/** How often something is asked for that no one tells of. */
export interface PollOptions {
  /** Milliseconds between two questions right after something has happened. Default 50. */
  readonly least?: number;
  /** Milliseconds between two questions after a long time in which nothing has happened. Default 2,000. */
  readonly most?: number;
}

/** The time between two questions: short after news, and half as long again each time that there were none. */
export class Pace {
  readonly #least: number;
  readonly #most: number;
  #next: number;

  constructor({ least = 50, most = 2000 }: PollOptions = {}) {
    this.#least = least;
    this.#most = Math.max(least, most);
    this.#next = least;
  }

  /** Milliseconds to wait now. */
  next(hasNews: boolean): number {
    const wait = hasNews ? this.#least : this.#next;
    this.#next = Math.min(this.#most, wait * 1.5);
    return wait;
  }
}
