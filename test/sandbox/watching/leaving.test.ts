import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { Takeovers } from '../../../sandbox/daemon/watching/takeovers.ts';
import { Viewers } from '../../../sandbox/daemon/watching/viewers.ts';
import { until } from '../helpers/sandboxes.ts';

const START = { id: 'one', record: 'full', disconnect_after_s: 60, expires_after_s: 3600 } as const;

describe('watching, when something goes away at the wrong moment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-viewers-'));
  const actions = { hold: () => Promise.resolve(), release: () => undefined };
  const files = (name: string): { state: string; inputs: string } => ({
    state: join(folder, name, 'state'),
    inputs: join(folder, name, 'inputs'),
  });
  const open = new Set<Socket>();
  afterAll(() => {
    for (const socket of open) socket.destroy();
    rmSync(folder, { recursive: true });
  });

  it('a viewer that left before its screen was there takes no place', async () => {
    const screen = createServer((socket) => {
      open.add(socket.on('error', () => undefined).once('close', () => open.delete(socket)));
      socket.resume();
    });
    await new Promise<void>((done) => screen.listen(join(folder, 'vnc1'), done));
    const computer = {
      xSocketFolder: folder,
      display: { open: () => Promise.resolve({ display: {} }) },
      guest: { call: () => Promise.resolve({ socket: 'vnc1' }) },
    };
    mkdirSync(join(folder, 'left'));
    const viewers = new Viewers({
      supervisor: { running: () => Promise.resolve(computer as never) },
      takeovers: new Takeovers({ files: files('left'), actions }),
      log: { info: () => undefined, error: () => undefined },
    });
    for (let count = 0; count < 20; count += 1) {
      const serve = await viewers.open(null);
      const viewer = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
      viewer.destroy();
      await new Promise((done) => viewer.once('close', done));
      serve(viewer);
    }
    screen.close();
    await until(() => open.size === 0);
    expect(open.size).toBe(0);
  });

  it('a takeover that could not be written down is none', async () => {
    const takeovers = new Takeovers({ files: files('later'), actions });
    await expect(takeovers.start(START)).rejects.toThrow('ENOENT');
    expect(takeovers.current).toBeNull();
    mkdirSync(join(folder, 'later'));
    expect(await takeovers.start({ ...START, id: 'two' })).toMatchObject({ id: 'two', ended: null });
    takeovers.end('two', 'handed_back');
  });
});
