/**
 * A row of interleaved samples to one channel's row in a plane: `plane[i] = f(samples[i * channels + channel])`.
 * Writes `count` values and nothing after them.
 */

/** The samples themselves, as float32. */
export function plain8(samples: usize, plane: usize, count: i32, channels: i32, channel: i32): void {
  const lanes = lanesOf(channels, channel);
  const whole = count & ~3;
  for (let i = 0; i < whole; i += 4) {
    v128.store(plane, f32x4.convert_i32x4_s(i8x16.swizzle(v128.load(samples), lanes)));
    samples += 4 * channels;
    plane += 16;
  }
  for (let i = whole; i < count; i++) {
    store<f32>(plane, <f32>load<u8>(samples + channel));
    samples += channels;
    plane += 4;
  }
}

/** `(sample * scale - mean) / std`, each step rounded to float32. */
export function normal8(
  samples: usize,
  plane: usize,
  count: i32,
  channels: i32,
  channel: i32,
  scale: f32,
  mean: f32,
  std: f32,
): void {
  const lanes = lanesOf(channels, channel);
  const scales = f32x4.splat(scale);
  const means = f32x4.splat(mean);
  const stds = f32x4.splat(std);
  const whole = count & ~3;
  for (let i = 0; i < whole; i += 4) {
    const values = f32x4.convert_i32x4_s(i8x16.swizzle(v128.load(samples), lanes));
    v128.store(plane, f32x4.div(f32x4.sub(f32x4.mul(values, scales), means), stds));
    samples += 4 * channels;
    plane += 16;
  }
  for (let i = whole; i < count; i++) {
    store<f32>(plane, (<f32>load<u8>(samples + channel) * scale - mean) / std);
    samples += channels;
    plane += 4;
  }
}

export function normal16(
  samples: usize,
  plane: usize,
  count: i32,
  channels: i32,
  channel: i32,
  scale: f32,
  mean: f32,
  std: f32,
): void {
  samples += 2 * channel;
  for (let i = 0; i < count; i++) {
    store<f32>(plane, (<f32>load<u16>(samples) * scale - mean) / std);
    samples += 2 * channels;
    plane += 4;
  }
}

/** Through a table of one value a sample: of 1 or 2 bytes as `bytes` says, from samples of 8 bit. */
export function lookup8(
  samples: usize,
  plane: usize,
  count: i32,
  channels: i32,
  channel: i32,
  table: usize,
  bytes: i32,
): void {
  samples += channel;
  for (let i = 0; i < count; i++) {
    const sample: usize = load<u8>(samples);
    if (bytes === 1) store<u8>(plane + i, load<u8>(table + sample));
    else store<u16>(plane + 2 * i, load<u16>(table + 2 * sample));
    samples += channels;
  }
}

/** The same from samples of 16 bit. */
export function lookup16(
  samples: usize,
  plane: usize,
  count: i32,
  channels: i32,
  channel: i32,
  table: usize,
  bytes: i32,
): void {
  samples += 2 * channel;
  for (let i = 0; i < count; i++) {
    const sample: usize = load<u16>(samples);
    if (bytes === 1) store<u8>(plane + i, load<u8>(table + sample));
    else store<u16>(plane + 2 * i, load<u16>(table + 2 * sample));
    samples += 2 * channels;
  }
}

/** Picks one channel of four pixels out of a vector of 8-bit samples, widened to 32 bit. */
function lanesOf(channels: i32, channel: i32): v128 {
  const step = i32x4.mul(i32x4(0, 1, 2, 3), i32x4.splat(channels));
  return v128.or(i32x4.add(step, i32x4.splat(channel)), i32x4.splat(-0x7f7f8000));
}
