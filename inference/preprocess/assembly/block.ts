import { rounded } from './weigh';

/** Block means, for ratios that are whole numbers: columns are summed row by row in 32 bit, then across. */
export function sum8(sums: usize, source: usize, length: i32): void {
  memory.fill(sums, 0, 4 * length);
  sumMore8(sums, source, length);
}

/** `sums[i] += source[i]`, 8 bit. */
export function sumMore8(sums: usize, source: usize, length: i32): void {
  for (let i = 0; i < length; i += 16) {
    const samples = v128.load(source + i);
    const low = i16x8.extend_low_i8x16_u(samples);
    const high = i16x8.extend_high_i8x16_u(samples);
    v128.store(sums, i32x4.add(v128.load(sums), i32x4.extend_low_i16x8_u(low)));
    v128.store(sums, i32x4.add(v128.load(sums, 16), i32x4.extend_high_i16x8_u(low)), 16);
    v128.store(sums, i32x4.add(v128.load(sums, 32), i32x4.extend_low_i16x8_u(high)), 32);
    v128.store(sums, i32x4.add(v128.load(sums, 48), i32x4.extend_high_i16x8_u(high)), 48);
    sums += 64;
  }
}

export function sum16(sums: usize, source: usize, length: i32): void {
  memory.fill(sums, 0, 4 * length);
  sumMore16(sums, source, length);
}

/** `sums[i] += source[i]`, 16 bit. */
export function sumMore16(sums: usize, source: usize, length: i32): void {
  for (let i = 0; i < length; i += 8) {
    const samples = v128.load(source);
    v128.store(sums, i32x4.add(v128.load(sums), i32x4.extend_low_i16x8_u(samples)));
    v128.store(sums, i32x4.add(v128.load(sums, 16), i32x4.extend_high_i16x8_u(samples)), 16);
    source += 16;
    sums += 32;
  }
}

/** Across: `width` pixels of column sums to one, times `scale` in float32, halves to even. */
export function mean8(samples: usize, sums: usize, count: i32, width: i32, channels: i32, scale: f32): void {
  const scales = f32x4.splat(scale);
  for (let i = 0; i < count; i++) {
    let sum = i32x4.splat(0);
    for (let x = 0; x < width; x++) {
      sum = i32x4.add(sum, v128.load(sums));
      sums += 4 * channels;
    }
    store4of8(samples, rounded(f32x4.mul(f32x4.convert_i32x4_s(sum), scales)));
    samples += channels;
  }
}

export function mean16(samples: usize, sums: usize, count: i32, width: i32, channels: i32, scale: f32): void {
  const scales = f32x4.splat(scale);
  for (let i = 0; i < count; i++) {
    let sum = i32x4.splat(0);
    for (let x = 0; x < width; x++) {
      sum = i32x4.add(sum, v128.load(sums));
      sums += 4 * channels;
    }
    store4of16(samples, rounded(f32x4.mul(f32x4.convert_i32x4_s(sum), scales)));
    samples += 2 * channels;
  }
}

/**
 * Two rows of 8 bit to one, for blocks of 2 x 2, which have a rounding of their own: halves go up. `pairs` is where the
 * swizzle stands that brings the samples of `step` output pixels beside their neighbours across.
 */
export function quarter8(
  samples: usize,
  above: usize,
  below: usize,
  count: i32,
  channels: i32,
  step: i32,
  pairs: usize,
): void {
  const lanes = v128.load(pairs);
  const two = i16x8.splat(2);
  for (let i = 0; i < count; i += step) {
    const upper = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(v128.load(above), lanes));
    const lower = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(v128.load(below), lanes));
    const quarters = i16x8.shr_u(i16x8.add(i16x8.add(upper, lower), two), 2);
    v128.store64_lane(samples, i8x16.narrow_i16x8_u(quarters, quarters), 0);
    above += 2 * channels * step;
    below += 2 * channels * step;
    samples += channels * step;
  }
}

/** The same for 16 bit, from column sums. */
export function quarter16(samples: usize, sums: usize, count: i32, channels: i32): void {
  const two = i32x4.splat(2);
  for (let i = 0; i < count; i++) {
    const sum = i32x4.add(v128.load(sums), v128.load(sums + 4 * channels));
    store4of16(samples, i32x4.shr_u(i32x4.add(sum, two), 2));
    sums += 8 * channels;
    samples += 2 * channels;
  }
}

/**
 * Blocks of more than 256 samples of 16 bit, whose sum float32 cannot hold exactly: a block's samples, row by row, are
 * summed four at a time as integers and these in float32; what is left over at the end is added one by one. `seen` is
 * the number of a block's samples before this row, `pending` the integers, one an output sample, not yet in `sums`.
 */
export function gather16(
  sums: usize,
  pending: usize,
  source: usize,
  count: i32,
  width: i32,
  channels: i32,
  seen: i32,
  area: i32,
): void {
  const fours = area & ~3;
  for (let i = 0; i < count; i++) {
    for (let channel = 0; channel < channels; channel++) {
      let sum = load<f32>(sums);
      let four = load<u32>(pending);
      let from = source + 2 * channel;
      for (let k = seen; k < seen + width; k++) {
        const sample = load<u16>(from);
        from += 2 * channels;
        if (k >= fours) {
          sum += <f32>sample;
        } else {
          four += sample;
          if ((k & 3) === 3) {
            sum += <f32>four;
            four = 0;
          }
        }
      }
      store<f32>(sums, sum);
      store<u32>(pending, four);
      sums += 4;
      pending += 4;
    }
    source += 2 * width * channels;
  }
}

function store4of8(address: usize, values: v128): void {
  const words = i16x8.narrow_i32x4_s(values, values);
  v128.store32_lane(address, i8x16.narrow_i16x8_u(words, words), 0);
}

function store4of16(address: usize, values: v128): void {
  v128.store64_lane(address, i16x8.narrow_i32x4_u(values, values), 0);
}
