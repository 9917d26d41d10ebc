import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { GuestClient, GuestGoneError } from '../../../sandbox/daemon/computer/guest-client.ts';
import { DisplayService } from '../../../sandbox/guest/display-service.ts';
import { createFileService } from '../../../sandbox/guest/file-service.ts';
import { GuestCallError } from '../../../sandbox/guest-protocol/guest.ts';
import { serveGuest } from '../../../sandbox/guest/guest-service.ts';
import { ShellService } from '../../../sandbox/guest/shell/shell-service.ts';
import { createTreeService } from '../../../sandbox/guest/tree/tree-service.ts';
import { VncService } from '../../../sandbox/guest/vnc-service.ts';
import { FrameReader, MAX_FRAME_BYTES, encodeFrame } from '../../../sandbox/guest-protocol/wire.ts';

describe('frames', () => {
  const messages = [
    { cancel: 1 },
    { id: 2, result: 'ünï🎉\n' },
    { id: 3, result: 'x'.repeat(100_000) },
  ] as const;
  const stream = Buffer.concat(messages.map((message) => encodeFrame(message)));

  it.each([1, 3, 4, 5, 1_000, 65_536, stream.length])('arrive whole in pieces of %i bytes', (size) => {
    const reader = new FrameReader();
    const arrived: unknown[] = [];
    for (let at = 0; at < stream.length; at += size)
      arrived.push(...reader.push(stream.subarray(at, at + size)));
    expect(arrived).toEqual(messages);
  });

  it('above the limit are refused before they arrive', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(MAX_FRAME_BYTES);
    expect(() => new FrameReader().push(header)).toThrow(RangeError);
  });
});

describe('the line between daemon and guest', () => {
  let folder: string;
  let client: GuestClient;
  let toGuest: PassThrough;
  let fromGuest: PassThrough;
  let served: Promise<void>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'steadyhand-line-'));
    toGuest = new PassThrough();
    fromGuest = new PassThrough();
    const shell = new ShellService({ folder: join(folder, 'shell'), home: folder });
    const services = {
      files: createFileService(),
      tree: createTreeService(),
      shell,
      display: new DisplayService(1),
      vnc: new VncService(1),
    };
    served = serveGuest(services, { input: toGuest, output: fromGuest });
    client = new GuestClient({ input: fromGuest, output: toGuest });
  });
  afterEach(async () => {
    if (!toGuest.destroyed) await client.shell.restart();
    toGuest.destroy();
    await served;
    rmSync(folder, { recursive: true });
  });

  it('carries programs, files and their errors', async () => {
    await client.ready;
    const run = await client.run(['sh', '-c', 'cat; echo err >&2; exit 3'], { stdin: 'in', cwd: folder });
    expect({ ...run, stdout: String(run.stdout), stderr: String(run.stderr) }).toEqual({
      code: 3,
      stdout: 'in',
      stderr: 'err\n',
      timedOut: false,
    });
    expect(await client.run(['sleep', '60'], { timeoutMs: 50 })).toMatchObject({
      code: null,
      timedOut: true,
    });
    await expect(client.run(['no-such-program'])).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(client.files.read(join(folder, 'no'))).rejects.toMatchObject({
      name: 'GuestFileError',
      code: 'ENOENT',
      path: join(folder, 'no'),
    });
    expect(await client.launch(['true'])).toBeGreaterThan(1);
  });

  it('an aborted call is stopped inside, and its answer awaited', async () => {
    const started = performance.now();
    expect(await client.run(['sleep', '60'], { signal: AbortSignal.timeout(50) })).toMatchObject({
      code: null,
    });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('refuses what does not fit a frame, in both directions, and goes on', async () => {
    const large = client.files.write(join(folder, 'large'), new Uint8Array(40 * 1024 * 1024));
    await expect(large).rejects.toThrow(GuestCallError);
    const params = {
      command: "head -c 9000000 /dev/zero | tr '\\0' '\\1'",
      timeoutMs: 20_000,
      streams: 'merged',
    } as const;
    const result = await client.shell
      .run({ ...params, keepCharacters: 8_900_000 }, new AbortController().signal)
      .then(
        ({ stdout }) => stdout.length,
        (error: GuestCallError) => error.code,
      );
    expect(result).toBe('EFBIG');
    expect(await client.files.stat(folder)).toMatchObject({ kind: 'directory' });
  });

  it('that breaks fails the calls under way, and says that the guest is gone', async () => {
    const running = client.run(['sleep', '1']);
    fromGuest.destroy();
    await expect(running).rejects.toThrow(GuestGoneError);
    await client.gone;
    await expect(client.files.stat('/')).rejects.toThrow(GuestGoneError);
    toGuest.destroy();
  });

  it('that carries nonsense is closed', async () => {
    fromGuest.write(Buffer.from([0, 0, 0, 3, 1, 2, 3]));
    await client.gone;
    await expect(client.files.stat('/')).rejects.toThrow(GuestGoneError);
    toGuest.destroy();
  });
});
