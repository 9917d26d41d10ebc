import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import {
  BytesTooManyError,
  CorruptError,
  NotStoredError,
  ObjectExistsError,
} from '../../../store/contract/errors.ts';
import { openedForAll } from '../../support/opened.ts';
import { OBJECT_STORES } from './object-stores.ts';

const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 32 * 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytes = Buffer.from('some bytes of an object');

async function* pieces(whole: Buffer, size = 300_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.byteLength; at += size) {
    await new Promise((resolve) => setImmediate(resolve));
    yield whole.subarray(at, at + size);
  }
}

describe.each(OBJECT_STORES)('objects in %s', (_, open) => {
  let now: (() => number) | undefined;
  const opened = openedForAll(() => open(() => now?.() ?? Date.now()));
  const named = async (prefix: string): Promise<string[]> => {
    const names: string[] = [];
    for await (const page of opened.objects.list(prefix)) names.push(...page.map(({ name }) => name));
    return names;
  };

  it('are there once they are put, whole, and until they are deleted', async () => {
    const { objects } = opened;
    await objects.check();
    expect(await objects.find('a/one')).toBeUndefined();
    const before = Date.now();
    await objects.put('a/one', bytes);
    const found = await objects.find('a/one');
    expect(found?.size).toBe(bytes.byteLength);
    // The store tells whole seconds.
    expect(Math.abs((found?.writtenAt ?? 0) - before)).toBeLessThan(10_000);
    expect(Buffer.from(await objects.get('a/one', sha256(bytes)))).toEqual(bytes);
    await objects.delete(['a/one', 'a/none']);
    expect(await objects.find('a/one')).toBeUndefined();
    await expect(objects.get('a/one', sha256(bytes))).rejects.toThrow(NotStoredError);
    await expect(objects.stream('a/one')).rejects.toThrow(NotStoredError);
  });

  it('keep their name: who comes second is refused, and the first bytes stay', async () => {
    const { objects } = opened;
    await objects.put('b/one', bytes);
    await expect(objects.put('b/one', Buffer.from('other bytes'))).rejects.toThrow(ObjectExistsError);
    await expect(objects.stage('b/one', pieces(Buffer.from('other bytes')), LIMIT)).rejects.toThrow(
      ObjectExistsError,
    );
    expect(Buffer.from(await objects.get('b/one', sha256(bytes)))).toEqual(bytes);
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, (_each, n) => objects.put('b/many', Buffer.from(`writer ${n}`))),
    );
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('say when their bytes are not those of the hash', async () => {
    const { objects } = opened;
    await objects.put('c/one', bytes);
    await expect(objects.get('c/one', '0'.repeat(64))).rejects.toThrow(CorruptError);
    const { body } = await objects.stream('c/one', { sha256: '0'.repeat(64) });
    await expect(buffer(body)).rejects.toThrow(CorruptError);
  });

  it('come as streams, whole and by ranges', async () => {
    const { objects } = opened;
    const large = randomBytes(700_001);
    await objects.put('d/one', large);
    const read = async (range?: { start: number; end: number }): Promise<Buffer> => {
      const { size, body } = await objects.stream('d/one', {
        sha256: sha256(large),
        ...(range !== undefined && { range }),
      });
      expect(size).toBe(large.byteLength);
      return buffer(body);
    };
    expect((await read()).equals(large)).toBe(true);
    for (const [start, end] of [
      [0, 1],
      [5, 300_000],
      [699_999, 700_001],
      [700_000, 900_000],
      [0, 700_001],
    ] as const) {
      expect((await read({ start, end })).equals(large.subarray(start, end))).toBe(true);
    }
    await objects.put('d/empty', Buffer.alloc(0));
    expect(await buffer((await objects.stream('d/empty')).body)).toEqual(Buffer.alloc(0));
  });

  it.each([0, 1, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 17_000_000])(
    'are staged from %i bytes as they arrive',
    async (size) => {
      const { objects } = opened;
      const large = randomBytes(size);
      const staged = await objects.stage(`e/${size}`, pieces(large), LIMIT);
      expect({ ...staged, head: Buffer.from(staged.head) }).toEqual({
        name: `e/${size}`,
        size,
        hash: sha256(large),
        head: large.subarray(0, 8192),
      });
      expect(large.equals(await objects.get(`e/${size}`, staged.hash))).toBe(true);
    },
  );

  it.each([1000, 9_000_000])('leave nothing when the source fails after %i bytes', async (size) => {
    const { objects } = opened;
    const gone = new Error('the client went away');
    async function* broken(): AsyncGenerator<Buffer> {
      yield* pieces(Buffer.alloc(size));
      throw gone;
    }
    await expect(objects.stage('f/one', broken(), LIMIT)).rejects.toBe(gone);
    await expect(objects.stage('f/two', pieces(Buffer.alloc(size + 1)), size)).rejects.toThrow(
      BytesTooManyError,
    );
    expect(await named('f/')).toEqual([]);
  });

  it('are listed by pages in the order of their names, below a prefix and from a place on', async () => {
    const { objects } = opened;
    const all = ['g/a', 'g/a-b', 'g/a.b', 'g/ab/1', 'g/ab/2', 'g/ac', 'g/b/c/d', 'g2'];
    for (const name of all) await objects.put(name, Buffer.from(name));
    expect(await named('g/')).toEqual(all.slice(0, -1).toSorted());
    expect(await named('g/a')).toEqual(all.slice(0, 6).toSorted());
    expect(await named('none/')).toEqual([]);
    const after: string[] = [];
    for await (const page of objects.list('g/', 'g/ab/1')) after.push(...page.map(({ name }) => name));
    expect(after).toEqual(['g/ab/2', 'g/ac', 'g/b/c/d']);
  });

  it('forget uploads that never ended once they are old, and leave others alone', async () => {
    const { objects } = opened;
    const steps = new EventEmitter();
    const [half, goOn] = [once(steps, 'half'), once(steps, 'go on')];
    async function* slow(): AsyncGenerator<Buffer> {
      yield* pieces(Buffer.alloc(9_000_000));
      steps.emit('half');
      await goOn;
    }
    const staged = objects.stage('h/one', slow(), LIMIT);
    await Promise.race([half, staged]);
    await objects.removeUnfinished('h/', HOUR_MS);
    await objects.removeUnfinished('other/', -HOUR_MS);
    now = () => Date.now() + 2 * HOUR_MS;
    await objects.removeUnfinished('h/', HOUR_MS);
    now = undefined;
    steps.emit('go on');
    await expect(staged).rejects.toThrow(/h.one|NoSuchUpload/);
    expect(await named('h/')).toEqual([]);
  });

  it.each(['', '/', '../up', 'a/../b', 'a//b', 'a/', '.hidden', 'a/.b', 'sp ace', 'a+b', 'ä'])(
    'have no name %j',
    async (name) => {
      await expect(opened.objects.put(name, bytes)).rejects.toThrow(NotStoredError);
      await expect(opened.objects.get(name, sha256(bytes))).rejects.toThrow(NotStoredError);
    },
  );

  it('have no name that is longer than a file may have', async () => {
    await expect(opened.objects.put('x'.repeat(201), bytes)).rejects.toThrow(NotStoredError);
  });
});
