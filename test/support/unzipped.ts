import { inflateRawSync } from 'node:zlib';

/** The files of a zip archive by their names, as its central directory lists them. */
export function unzipped(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf('PK\u0005\u0006');
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  for (let at = archive.readUInt32LE(end + 16), left = count; left > 0; left -= 1) {
    const [packed, length] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(archive.subarray(data, data + packed)));
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
