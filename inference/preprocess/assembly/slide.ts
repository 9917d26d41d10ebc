/**
 * Up-scaling of 8-bit rows: between two neighbours, in fixed point with 11 bits.
 *
 * The table has one entry an output pixel: the first neighbour's byte in the row (u32), then both coefficients (i16
 * each). `row[i] = a0 * p0 + a1 * p1`, 32 bit. At the right edge the second coefficient is 0.
 */
export function slide8(source: usize, row: usize, table: usize, count: i32, channels: i32): void {
  // Each sample beside the same channel of the next pixel, both widened to 16 bit.
  const pair = i32x4.add(
    i8x16(0, -128, 0, -128, 1, -128, 1, -128, 2, -128, 2, -128, 3, -128, 3, -128),
    i32x4.splat(channels << 16),
  );
  for (let i = 0; i < count; i++) {
    const samples = i8x16.swizzle(v128.load64_zero(source + load<u32>(table)), pair);
    v128.store(row, i32x4.dot_i16x8_s(samples, v128.load32_splat(table, 4)));
    table += 8;
    row += 4 * channels;
  }
}

/** Between two such rows; the halves' low bits are dropped on the way as the definition has it. */
export function blend8(samples: usize, above: usize, below: usize, a: i32, b: i32, length: i32): void {
  const upper = i32x4.splat(a);
  const lower = i32x4.splat(b);
  for (let i = 0; i < length; i += 16) {
    const low = i16x8.narrow_i32x4_s(
      blended(v128.load(above), v128.load(below), upper, lower),
      blended(v128.load(above, 16), v128.load(below, 16), upper, lower),
    );
    const high = i16x8.narrow_i32x4_s(
      blended(v128.load(above, 32), v128.load(below, 32), upper, lower),
      blended(v128.load(above, 48), v128.load(below, 48), upper, lower),
    );
    v128.store(samples, i8x16.narrow_i16x8_u(low, high));
    samples += 16;
    above += 64;
    below += 64;
  }
}

function blended(above: v128, below: v128, upper: v128, lower: v128): v128 {
  const high = i32x4.shr_s(i32x4.mul(i32x4.shr_s(above, 4), upper), 16);
  const low = i32x4.shr_s(i32x4.mul(i32x4.shr_s(below, 4), lower), 16);
  return i32x4.shr_s(i32x4.add(i32x4.add(high, low), i32x4.splat(2)), 2);
}
