/** Answers the milliseconds since the epoch by a clock that never jumps and is the same in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Measures stages that follow one another. */
export class Stopwatch {
  #last = performance.now();

  /** Answers the milliseconds since the call before, or since the stopwatch was made. */
  lap(): number {
    const at = performance.now();
    const ms = at - this.#last;
    this.#last = at;
    return ms;
  }
}
