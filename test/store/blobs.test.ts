import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CorruptError, NotStoredError } from '../../store/index.ts';
import { temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();
const bytes = Buffer.from('some bytes');
const hash = createHash('sha256').update(bytes).digest('hex');

describe('blobs', () => {
  it('are named by their content and come back whole', async () => {
    const { blobs } = await stores.open();
    expect(await blobs.has(hash)).toBe(false);
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await blobs.has(hash)).toBe(true);
    expect(Buffer.from(await blobs.get(hash))).toEqual(bytes);
    const { size, body } = await blobs.stream(hash);
    expect(size).toBe(bytes.byteLength);
    expect(await buffer(body)).toEqual(bytes);
    expect(await blobs.put(new Uint8Array())).toBe(createHash('sha256').digest('hex'));
  });

  it('leave nothing behind when many put the same at once', async () => {
    const dir = stores.dir();
    const { blobs } = await stores.open({ dir });
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => blobs.put(bytes))))).toEqual(
      new Set([hash]),
    );
    expect(readdirSync(join(dir, 'blobs', 'incoming'))).toEqual([]);
    expect(readdirSync(join(dir, 'blobs', hash.slice(0, 2)))).toEqual([hash]);
  });

  it.each(['0'.repeat(64), '../../etc/passwd', '', `${'a'.repeat(63)}G`, `${'a'.repeat(64)}/..`])(
    'does not know %j',
    async (name) => {
      const { blobs } = await stores.open();
      expect(await blobs.has(name)).toBe(false);
      await expect(blobs.get(name)).rejects.toThrow(NotStoredError);
      await expect(blobs.stream(name)).rejects.toThrow(`no blob ${name}`);
    },
  );

  it('says when a file is not what its name says, and mends it when it was cut short', async () => {
    const dir = stores.dir();
    const { blobs } = await stores.open({ dir });
    await blobs.put(bytes);
    const path = join(dir, 'blobs', hash.slice(0, 2), hash);
    writeFileSync(path, 'other byte');
    await expect(blobs.get(hash)).rejects.toThrow(CorruptError);
    writeFileSync(path, 'some');
    await blobs.put(bytes);
    expect(Buffer.from(await blobs.get(hash))).toEqual(bytes);
  });

  it('clears away what a killed process left half-written, but not what is being written now', async () => {
    const dir = stores.dir();
    const incoming = join(dir, 'blobs', 'incoming');
    mkdirSync(incoming, { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(incoming, name), 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(join(incoming, 'old'), twoHoursAgo, twoHoursAgo);
    await stores.open({ dir });
    expect(existsSync(join(incoming, 'old'))).toBe(false);
    expect(existsSync(join(incoming, 'new'))).toBe(true);
  });
});
