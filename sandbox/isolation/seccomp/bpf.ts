/** One instruction of classic BPF, as `struct sock_filter`. Jumps count the instructions that are skipped. */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const step = (code: number, k: number, jt = 0, jf = 0): Instruction => ({ code, jt, jf, k });

/**
 * Loads 32 bits of `struct seccomp_data`: the call's number is at 0, the architecture at 4, argument n's lower half at
 * 16 + 8n.
 */
export const load = (offset: number): Instruction => step(0x20, offset);
export const ret = (value: number): Instruction => step(0x06, value);
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;

/** Runs the block when the loaded value passes the test, else skips it. A block has at most 255 instructions. */
const when =
  (code: number) =>
  (value: number, block: readonly Instruction[]): readonly Instruction[] => {
    if (block.length > 255)
      throw new RangeError(`a block of ${block.length} instructions is too long to jump over`);
    return [step(code, value, 0, block.length), ...block];
  };

export const whenEqual = when(EQUAL);
export const whenAtLeast = when(AT_LEAST);
/** Runs the block when any of the bits is set. */
export const whenAnyBit = when(ANY_BIT);
/** Runs the block unless the loaded value is one of the values. */
export function unlessOneOf(
  values: readonly number[],
  block: readonly Instruction[],
): readonly Instruction[] {
  return [
    // A jump goes past the remaining tests and the block.
    ...values.map((value, index) => step(EQUAL, value, values.length - 1 - index + block.length, 0)),
    ...block,
  ];
}

export function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
