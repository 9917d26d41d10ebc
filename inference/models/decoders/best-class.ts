/** Where the largest of `count` values from `start` on lies, the first of equals; -1 when there is none or all are NaN. */
export function indexOfLargest(data: Float32Array, start: number, count: number): number {
  let best = -1;
  let value = -Infinity;
  for (let at = 0; at < count; at += 1) {
    const next = data[start + at] ?? NaN;
    if (next > value) {
      value = next;
      best = at;
    }
  }
  return best;
}
