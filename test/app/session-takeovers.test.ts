import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { SandboxError } from '@steadyhand/contracts';
import { toFailure } from '../../activities/failures.ts';
import { SessionTakeovers } from '../../app/session-takeovers.ts';
import { DaemonConnection } from '../../sandbox/client/connection/daemon-connection.ts';
import { reachThrough } from '../../sandbox/client/reach.ts';
import { startTakeover } from '../../sandbox/client/watching.ts';
import { unixTransport } from '../../sandbox/client/connection/transport.ts';
import { createDaemonServer } from '../../sandbox/daemon/http/server.ts';
import { append } from '../../sessions/index.ts';
import { openBench, type Bench } from '../activities/support.ts';
import { openedForAll } from '../support/opened.ts';

describe('a sandbox whose daemon is of an earlier release, without takeovers', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'earlier-daemon-'));
  const connection = new DaemonConnection(unixTransport(folder, 'sock'));
  const host = { connect: () => Promise.resolve(connection), forget: () => undefined };
  const sandboxes = {
    reach: ((id, work) =>
      reachThrough(() => host as never, id, work, undefined)) as Bench['deps']['sandboxes']['reach'],
  };
  let server: Server;
  let bench: Bench;
  beforeAll(async () => {
    server = createDaemonServer({ routes: {}, upgrades: {} });
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'sock'), resolve));
    bench = await openBench();
  });
  afterAll(async () => {
    connection.close();
    server.closeAllConnections();
    server.close();
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is not taken over: the session is left as it is, and the person is told why', async () => {
    const session = await bench.session();
    await append(bench.store, { session, key: 'sandbox', events: [], sandboxId: 'sbx_1' });
    const sent: unknown[] = [];
    const takeovers = new SessionTakeovers({
      store: bench.store,
      sandboxes,
      send: async (_session, event) => void sent.push(event),
      requested: () => Promise.resolve(null),
    });
    const terms = { id: 'tkov_1', record: 'full', disconnect_after_s: 60, expires_after_s: 600 } as const;
    await expect(takeovers.takeOver(session, terms, { interrupt: false })).rejects.toMatchObject({
      type: 'conflict_error',
      message: expect.stringContaining('sbx_1 runs since an earlier release') as string,
    });
    expect(sent).toEqual([]);
  });

  it('keeps no step trying for ever', async () => {
    const start = { id: 'tkov_1', record: 'full', disconnect_after_s: 60, expires_after_s: 600 } as const;
    const error: unknown = await startTakeover(sandboxes, 'sbx_1', start).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unsupported' });
    expect(toFailure(error)).toMatchObject({ nonRetryable: true, type: 'sandbox_unsupported' });
  });
});

describe('a computer that is away', () => {
  const away = new SandboxError('unavailable', 'its machine is away', { sandbox: 'sbx_1' });
  const sandboxes = { reach: () => Promise.reject(away) };
  const terms = { id: 'tkov_1', record: 'full', disconnect_after_s: 60, expires_after_s: 600 } as const;
  const sent: unknown[] = [];
  let session: string;
  let takeovers: SessionTakeovers;
  const bench = openedForAll(openBench);
  beforeAll(async () => {
    session = await bench.session();
    await append(bench.store, { session, key: 'sandbox', events: [], sandboxId: 'sbx_1' });
    takeovers = new SessionTakeovers({
      store: bench.store,
      sandboxes,
      send: async (_session, event) => void sent.push(event),
      requested: () => Promise.resolve('tkov_1'),
    });
  });
  beforeEach(() => void sent.splice(0));

  it('is not asked for: nobody would know the takeover that waits for it', async () => {
    await expect(takeovers.takeOver(session, terms, { interrupt: false })).rejects.toBe(away);
    expect(sent).toEqual([]);
  });

  it('keeps nobody from withdrawing what waits for it', async () => {
    expect(await takeovers.handBack(session, 'tkov_1')).toBeNull();
    expect(sent).toEqual([{ type: 'takeover.withdrawn', takeover: 'tkov_1' }]);
  });

  it('that was deleted is made anew for who takes over', async () => {
    const active = { id: 'tkov_1', ended: null };
    const gone = new SandboxError('sandbox_not_found', 'it does not exist', { sandbox: 'sbx_1' });
    const looks = [gone, gone];
    const reach = async (): Promise<unknown> => {
      const gone = looks.pop();
      if (gone !== undefined) throw gone;
      return await Promise.resolve({ takeover: active });
    };
    const again = new SessionTakeovers({
      store: bench.store,
      sandboxes: { reach: reach as Bench['deps']['sandboxes']['reach'] },
      send: async (_session, event) => void sent.push(event),
      requested: () => Promise.resolve('tkov_1'),
    });
    expect(await again.takeOver(session, terms, { interrupt: false })).toBe(active);
    expect(sent).toHaveLength(1);
  });
});
