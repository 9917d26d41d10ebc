import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  CorruptError,
  ObjectStoreRefusedError,
  StoreUnavailableError,
} from '../../../store/contract/errors.ts';
import type { ObjectStore } from '../../../store/contract/objects.ts';
import { parseS3Address } from '../../../store/s3/address.ts';
import type { S3Options } from '../../../store/s3/client.ts';
import { openS3Objects } from '../../../store/s3/s3-objects.ts';
import { openedForEach } from '../../support/opened.ts';
import { type S3Fault, startS3Server } from '../../support/s3-server.ts';
import { seeded } from '../../support/seeded.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytes = Buffer.from('some bytes of an object');
const LARGE = 9_000_000;

async function* pieces(whole: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.byteLength; at += 300_000) yield whole.subarray(at, at + 300_000);
}

describe('a store on a bad network', () => {
  const server = openedForEach(() => startS3Server());
  const opened: ObjectStore[] = [];
  afterEach(() => opened.splice(0).forEach((objects) => objects.close()));
  const open = (options: Partial<S3Options> = {}): ObjectStore => {
    const { address, credentials } = server;
    const objects = openS3Objects({
      address: parseS3Address(address),
      credentials,
      idleMs: 5000,
      patienceMs: 30_000,
      ...options,
    });
    opened.push(objects);
    return objects;
  };
  /** Has the next requests go wrong, one after the other, and all later ones go well. */
  const goWrong = (...faults: readonly (S3Fault | undefined)[]): void => {
    const left = [...faults];
    server.fault = () => left.shift();
  };

  it.each<[string, S3Fault[]]>([
    ['is busy', [{ code: 'SlowDown' }, { code: 'InternalError' }, { code: 'ConditionalRequestConflict' }]],
    ['cuts connections', ['cut', 'cut']],
    ['loses its answers', ['lost']],
  ])('that %s has each object once, with one call', async (_, faults) => {
    const objects = open();
    goWrong(...faults);
    await objects.put('one', bytes);
    expect(server.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(faults.length + 1);
    goWrong(...faults);
    expect(Buffer.from(await objects.get('one', sha256(bytes)))).toEqual(bytes);
    goWrong(...faults);
    expect((await objects.find('one'))?.size).toBe(bytes.byteLength);
    goWrong(...faults);
    const names: string[] = [];
    for await (const page of objects.list('')) names.push(...page.map(({ name }) => name));
    expect(names).toEqual(['one']);
    goWrong(...faults);
    await objects.delete(['one']);
    expect([...server.objects.keys()]).toEqual([]);
  });

  it.each([1, 2])('that does any of it at any time has large objects whole (seed %i)', async (seed) => {
    const objects = open();
    const random = seeded(seed);
    const faults: S3Fault[] = ['cut', 'lost', 'broken', { code: 'SlowDown' }, { code: 'InternalError' }];
    server.fault = () => (random() < 0.3 ? faults[Math.floor(random() * faults.length)] : undefined);
    const large = randomBytes(LARGE);
    const staged = await objects.stage('large', pieces(large), LARGE);
    expect(staged.hash).toBe(sha256(large));
    const { size, body } = await objects.stream('large', { sha256: staged.hash });
    expect(size).toBe(LARGE);
    expect((await buffer(body)).equals(large)).toBe(true);
    const part = await objects.stream('large', { range: { start: 1_000_000, end: 8_000_000 } });
    expect((await buffer(part.body)).equals(large.subarray(1_000_000, 8_000_000))).toBe(true);
    expect([...server.objects.keys()]).toEqual(['some/place/large']);
    server.fault = () => undefined;
    await objects.removeUnfinished('', -1);
    expect(server.uploads.size).toBe(0);
  });

  it('that answers nothing is given up after a time, and another attempt goes well', async () => {
    const objects = open({ idleMs: 200 });
    goWrong('silent');
    await objects.put('one', bytes);
    expect(server.objects.get('some/place/one')?.bytes).toEqual(bytes);
  });

  it('that is away says so, and takes what waited once it is back', async () => {
    await server.goAway();
    const impatient = open({ patienceMs: 100 });
    await expect(impatient.put('one', bytes)).rejects.toThrow(StoreUnavailableError);
    await expect(impatient.put('one', bytes)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/test-bucket\/some\/place\/ cannot be reached: connect ECONNREFUSED/,
    );
    await expect(impatient.check()).rejects.toThrow(StoreUnavailableError);
    const waiting = open().put('two', bytes);
    await server.comeBack();
    await waiting;
    expect([...server.objects.keys()]).toEqual(['some/place/two']);
  });

  it('that goes away in the middle of many puts has each of them whole or refused', async () => {
    const objects = open();
    let count = 0;
    let away: Promise<void> | undefined;
    server.fault = () => {
      count += 1;
      if (count === 20) away = server.goAway().then(() => server.comeBack());
      return undefined;
    };
    const names = Array.from({ length: 60 }, (_, n) => `puts/${n}`);
    await Promise.all(names.map((name) => objects.put(name, Buffer.from(name))));
    await away;
    for (const name of names) await objects.get(name, sha256(Buffer.from(name)));
    expect(server.objects.size).toBe(60);
  });

  it('whose clock is another gets signatures of its time', async () => {
    const objects = open();
    server.clockAheadMs = 3 * 60 * 60 * 1000;
    await objects.put('one', bytes);
    server.clockAheadMs = -3 * 60 * 60 * 1000;
    expect((await objects.find('one'))?.size).toBe(bytes.byteLength);
    server.clockAheadMs = 0;
    expect(Buffer.from(await objects.get('one', sha256(bytes)))).toEqual(bytes);
  });

  it('that gives other bytes is found out', async () => {
    const objects = open();
    await objects.put('one', bytes);
    const stored = server.objects.get('some/place/one');
    if (stored !== undefined)
      server.objects.set('some/place/one', { ...stored, bytes: Buffer.from('others') });
    await expect(objects.get('one', sha256(bytes))).rejects.toThrow(CorruptError);
  });

  it.each<[string, Partial<S3Options>, RegExp]>([
    [
      'wrong keys',
      { credentials: { accessKeyId: 'test', secretAccessKey: 'wrong' } },
      /refuses: because of SignatureDoesNotMatch \(403 SignatureDoesNotMatch\)$/,
    ],
    ['unknown keys', { credentials: { accessKeyId: 'no', secretAccessKey: 'no' } }, /InvalidAccessKeyId/],
  ])('refuses %s at once', async (_, options, message) => {
    const objects = open(options);
    await expect(objects.put('one', bytes)).rejects.toThrow(message);
    await expect(objects.put('one', bytes)).rejects.toThrow(ObjectStoreRefusedError);
    expect(server.requests).toHaveLength(2);
  });

  it('says that a bucket is missing', async () => {
    const objects = open({ address: parseS3Address(server.address.replace('test-bucket', 'other-bucket')) });
    await expect(objects.check()).rejects.toThrow('there is no bucket other-bucket');
  });
});
