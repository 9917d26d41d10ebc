/** Probabilities of the same order; none is finite when one of the values is not. */
export function softmax(values: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const value of values) largest = Math.max(largest, value);
  const powers = Array.from(values, (value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return Float32Array.from(powers, (power) => power / sum);
}

/** Whether the values are probabilities already: none outside 0 to 1, and 1 together, as far as half precision goes. */
export function isDistribution(values: Float32Array): boolean {
  let sum = 0;
  for (const value of values) {
    if (!(value >= 0 && value <= 1)) return false;
    sum += value;
  }
  return Math.abs(sum - 1) <= 0.01;
}
