/**
 * Finds the place, after `start`, of the largest of `count` values, the first of equal ones; -1 where all are NaN or
 * there is none.
 */
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

/** Answers the softmax of the values. No probability is finite where one of the values is not. */
export function softmax(values: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const value of values) largest = Math.max(largest, value);
  const powers = Array.from(values, (value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return Float32Array.from(powers, (power) => power / sum);
}

/**
 * Whether the values are probabilities: all are within 0 to 1, and their sum is 1 within what half precision allows.
 */
export function isDistribution(values: Float32Array): boolean {
  let sum = 0;
  for (const value of values) {
    if (!(value >= 0 && value <= 1)) return false;
    sum += value;
  }
  return Math.abs(sum - 1) <= 0.01;
}
