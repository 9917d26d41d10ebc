const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;
const ADDED = 0xe6546b64;

/**
 * Answers FarmHash's 32-bit fingerprint of more than 24 bytes (Geoff Pike's `farmhashmk`), by which the server spreads
 * jitter.
 */
export function fingerprint32(bytes: Uint8Array): number {
  const { length } = bytes;
  if (length <= 24) throw new RangeError('only longer texts are hashed here');
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const word = (at: number): number => view.getUint32(at, true);
  const mixed = (at: number): number => multiply(rotate(multiply(word(at), C1), 17), C2);
  let h = length >>> 0;
  let g = multiply(C1, length);
  let f = g;
  const [a0, a1, a2, a3, a4] = [4, 8, 16, 12, 20].map((back) => mixed(length - back)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  h = step(step(h, a0), a2);
  g = step(step(g, a1), a3);
  f = add(rotate(add(f, a4), 19), 113);
  let at = 0;
  for (let left = Math.floor((length - 1) / 20); left > 0; left--, at += 20) {
    const [a, b, c, d, e] = [0, 4, 8, 12, 16].map((offset) => word(at + offset)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    h = add(h, a);
    g = add(g, b);
    f = add(f, c);
    h = add(murmur(d, h), e);
    g = add(murmur(c, g), a);
    f = add(murmur(add(b, multiply(e, C1)), f), d);
    f = add(f, g);
    g = add(g, f);
  }
  g = multiply(rotate(multiply(rotate(g, 11), C1), 17), C1);
  f = multiply(rotate(multiply(rotate(f, 11), C1), 17), C1);
  h = finish(h, g);
  return finish(h, f);
}

function finish(h: number, other: number): number {
  const mixed = add(multiply(rotate(add(h, other), 19), 5), ADDED);
  return multiply(rotate(mixed, 17), C1);
}

/** One of the two rounds by which the end of the text is mixed in. */
function step(h: number, value: number): number {
  return add(multiply(rotate((h ^ value) >>> 0, 19), 5), ADDED);
}

function murmur(a: number, h: number): number {
  const mixed = multiply(rotate(multiply(a, C1), 17), C2);
  return add(multiply(rotate((h ^ mixed) >>> 0, 19), 5), ADDED);
}

function add(a: number, b: number): number {
  return (a + b) >>> 0;
}

function multiply(a: number, b: number): number {
  return Math.imul(a, b) >>> 0;
}

/** Rotates to the right. */
function rotate(value: number, by: number): number {
  return ((value >>> by) | (value << (32 - by))) >>> 0;
}
