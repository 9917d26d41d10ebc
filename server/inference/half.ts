const scratch = new DataView(new ArrayBuffer(4));

/** The bits of the 16-bit float nearest to a number, of two the even one; beyond its range infinity. */
export function numberToHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  scratch.setFloat32(0, value);
  const sign = (scratch.getUint32(0) >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  // Below 2^-14 the steps are 2^-24 wide; above, 1024 of them fill each power of two. A carry goes into the exponent.
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -24)));
  const corrected = size < 2 ** exponent && exponent > -14 ? exponent - 1 : exponent;
  const steps = roundHalfToEven(size / 2 ** (corrected - 10));
  return sign | (steps + (corrected + 14) * 1024);
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
