/** Rows of weighted sums to one row, `sums = weight * row`, `length` values of float32. */
export function weigh(sums: usize, row: usize, weight: f32, length: i32): void {
  const weights = f32x4.splat(weight);
  for (let i: usize = 0, end: usize = 4 * length; i < end; i += 16) {
    v128.store(sums + i, f32x4.mul(v128.load(row + i), weights));
  }
}

/** `sums = sums + weight * row`. */
export function weighMore(sums: usize, row: usize, weight: f32, length: i32): void {
  const weights = f32x4.splat(weight);
  for (let i: usize = 0, end: usize = 4 * length; i < end; i += 16) {
    v128.store(sums + i, f32x4.add(v128.load(sums + i), f32x4.mul(v128.load(row + i), weights)));
  }
}

/**
 * Sums to samples, halves to even. Adding 2^23 leaves a float32 no bits for a fraction: the addition itself rounds as
 * wanted, and the integer stands in the low bits. Sums of samples lie within 0 and 2^17; narrowing saturates.
 */
export function round8(samples: usize, sums: usize, length: i32): void {
  for (let i = 0; i < length; i += 16) {
    const low = i16x8.narrow_i32x4_s(rounded(v128.load(sums)), rounded(v128.load(sums, 16)));
    const high = i16x8.narrow_i32x4_s(rounded(v128.load(sums, 32)), rounded(v128.load(sums, 48)));
    v128.store(samples, i8x16.narrow_i16x8_u(low, high));
    samples += 16;
    sums += 64;
  }
}

export function round16(samples: usize, sums: usize, length: i32): void {
  for (let i = 0; i < length; i += 8) {
    v128.store(samples, i16x8.narrow_i32x4_u(rounded(v128.load(sums)), rounded(v128.load(sums, 16))));
    samples += 16;
    sums += 32;
  }
}

/** Integers of 32 bit, halves to even, of values from 0 to 2^22. */
export function rounded(values: v128): v128 {
  return v128.and(f32x4.add(values, f32x4.splat(8388608)), i32x4.splat(0x7fffff));
}
