/**
 * A source row to its weighted sums, one an output pixel: `row[i] = w0 * p0 + w1 * p1 + ...` in float32.
 *
 * The table has one entry an output pixel: where its first source pixel begins, in bytes from the row's start (u32),
 * then `taps` weights (f32). Outputs that need fewer have weights of 0, which leave a sum as it is.
 */

/** 8 bit, any number of taps and up to four channels; `pixel` is the bytes of one. */
export function reduce8(source: usize, row: usize, table: usize, count: i32, taps: i32, pixel: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    let from = source + load<u32>(table);
    table += 4;
    let sum = f32x4.splat(0);
    for (let tap = 0; tap < taps; tap++) {
      const samples = i8x16.shuffle(
        v128.load32_zero(from),
        zero,
        0,
        16,
        16,
        16,
        1,
        16,
        16,
        16,
        2,
        16,
        16,
        16,
        3,
        16,
        16,
        16,
      );
      sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(samples), v128.load32_splat(table)));
      table += 4;
      from += pixel;
    }
    v128.store(row, sum);
    row += 4 * pixel;
  }
}

/** 16 bit; `pixel` is the bytes of one. */
export function reduce16(source: usize, row: usize, table: usize, count: i32, taps: i32, pixel: i32): void {
  for (let i = 0; i < count; i++) {
    let from = source + load<u32>(table);
    table += 4;
    let sum = f32x4.splat(0);
    for (let tap = 0; tap < taps; tap++) {
      const samples = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(v128.load64_zero(from)));
      sum = f32x4.add(sum, f32x4.mul(samples, v128.load32_splat(table)));
      table += 4;
      from += pixel;
    }
    v128.store(row, sum);
    row += 2 * pixel;
  }
}

/** Two taps of three channels of 8 bit: the pixels come in one load. */
export function reduce8of3x2(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 16, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 3, 16, 16, 16, 4, 16, 16, 16, 5, 16, 16, 16, 16, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    v128.store(row, sum);
    row += 12;
    table += 12;
  }
}

/** Three taps of three channels of 8 bit: the pixels come in one load. */
export function reduce8of3x3(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 16, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 3, 16, 16, 16, 4, 16, 16, 16, 5, 16, 16, 16, 16, 16, 16, 16);
    const p2 = i8x16.shuffle(pixels, zero, 6, 16, 16, 16, 7, 16, 16, 16, 8, 16, 16, 16, 16, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p2), v128.load32_splat(table, 12)));
    v128.store(row, sum);
    row += 12;
    table += 16;
  }
}

/** Four taps of three channels of 8 bit: the pixels come in one load. */
export function reduce8of3x4(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 16, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 3, 16, 16, 16, 4, 16, 16, 16, 5, 16, 16, 16, 16, 16, 16, 16);
    const p2 = i8x16.shuffle(pixels, zero, 6, 16, 16, 16, 7, 16, 16, 16, 8, 16, 16, 16, 16, 16, 16, 16);
    const p3 = i8x16.shuffle(pixels, zero, 9, 16, 16, 16, 10, 16, 16, 16, 11, 16, 16, 16, 16, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p2), v128.load32_splat(table, 12)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p3), v128.load32_splat(table, 16)));
    v128.store(row, sum);
    row += 12;
    table += 20;
  }
}

/** Two taps of four channels of 8 bit: the pixels come in one load. */
export function reduce8of4x2(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 4, 16, 16, 16, 5, 16, 16, 16, 6, 16, 16, 16, 7, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    v128.store(row, sum);
    row += 16;
    table += 12;
  }
}

/** Three taps of four channels of 8 bit: the pixels come in one load. */
export function reduce8of4x3(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 4, 16, 16, 16, 5, 16, 16, 16, 6, 16, 16, 16, 7, 16, 16, 16);
    const p2 = i8x16.shuffle(pixels, zero, 8, 16, 16, 16, 9, 16, 16, 16, 10, 16, 16, 16, 11, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p2), v128.load32_splat(table, 12)));
    v128.store(row, sum);
    row += 16;
    table += 16;
  }
}

/** Four taps of four channels of 8 bit: the pixels come in one load. */
export function reduce8of4x4(source: usize, row: usize, table: usize, count: i32): void {
  const zero = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    const pixels = v128.load(source + load<u32>(table));
    const p0 = i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16);
    const p1 = i8x16.shuffle(pixels, zero, 4, 16, 16, 16, 5, 16, 16, 16, 6, 16, 16, 16, 7, 16, 16, 16);
    const p2 = i8x16.shuffle(pixels, zero, 8, 16, 16, 16, 9, 16, 16, 16, 10, 16, 16, 16, 11, 16, 16, 16);
    const p3 = i8x16.shuffle(pixels, zero, 12, 16, 16, 16, 13, 16, 16, 16, 14, 16, 16, 16, 15, 16, 16, 16);
    let sum = f32x4.mul(f32x4.convert_i32x4_s(p0), v128.load32_splat(table, 4));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p1), v128.load32_splat(table, 8)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p2), v128.load32_splat(table, 12)));
    sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(p3), v128.load32_splat(table, 16)));
    v128.store(row, sum);
    row += 16;
    table += 20;
  }
}
