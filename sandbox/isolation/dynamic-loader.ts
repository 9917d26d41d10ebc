import { closeSync, openSync, readSync } from 'node:fs';

const PROGRAM_INTERPRETER = 3;
/** Sizes in a 64-bit little-endian ELF file: the header, and an entry of its table of segments. */
const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;

/**
 * Returns the dynamic loader that a program names, e.g. `/lib64/ld-linux-x86-64.so.2`; null when it names none.
 *
 * A process whose executable its user may not read is closed to that user: the kernel lets nobody without privileges
 * over it trace it, take its descriptors or open what is below its /proc/<pid>. A loader runs a program that it gets as
 * its argument. So a copy of the loader that may be executed and not read closes any program, without a copy of the
 * program itself.
 */
export function loaderOf(program: string): string | null {
  const file = openSync(program, 'r');
  try {
    const header = bytesAt(file, 0, HEADER_BYTES);
    if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) return null;
    const table = Number(header.readBigUInt64LE(32));
    for (let index = 0; index < header.readUInt16LE(56); index += 1) {
      const segment = bytesAt(file, table + index * SEGMENT_BYTES, SEGMENT_BYTES);
      if (segment.readUInt32LE(0) !== PROGRAM_INTERPRETER) continue;
      const length = Number(segment.readBigUInt64LE(32));
      const name = bytesAt(file, Number(segment.readBigUInt64LE(8)), length);
      return name.toString('latin1').replace(/\0.*$/s, '');
    }
    return null;
  } finally {
    closeSync(file);
  }
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}
