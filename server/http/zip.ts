import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { crc32 } from '@steadyhand/messages';

const compressed = promisify(deflateRaw);

export interface ZipEntry {
  /** The path in the archive, with `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bit 11: names are UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;
/** 1980-01-01, the first day that the format knows: the same files make the same archive. */
const DATE = 0x21;

/**
 * A zip archive of a few files in memory, as in PKWARE's application note: local headers with deflated data, then the central
 * directory. Below 4 GiB, without the extensions for more.
 */
export async function zip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const data = await compressed(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(UTF8, 2);
    fields.writeUInt16LE(DEFLATED, 4);
    fields.writeUInt16LE(DATE, 8);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, path, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, place, path]));
    files.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}
