import type { SandboxInfo } from '@steadyhand/contracts';
import { StorageFullError } from '../../store/index.ts';
import { ask, noSandboxes, noSnapshots, startServer, stopServers } from './harness.ts';
import { posted } from '../support/posted.ts';

afterEach(stopServers);

test.each([
  ['/v1/sandboxes', {}],
  ['/v1/sandboxes/sbx_1/snapshots', {}],
  ['/v1/sandboxes/sbx_1/restore', { snapshot_id: 'snap_1' }],
])('a full disk refuses POST %s before anything is made', async (pathname, body) => {
  const touched = (): never => {
    throw new Error('something was made');
  };
  const found: SandboxInfo = {
    id: 'sbx_1',
    status: 'stopped',
    display: { width: 640, height: 480 },
    compat: 'default',
    isolation: 'none',
    networking: { type: 'none' },
    limits: { memory_mib: null, processes: null, disk_mib: null, files: null, cpus: null },
    created_at: '2026-01-01T00:00:00Z',
    boot: null,
    reason: null,
  };
  const { url } = await startServer({
    requireRoom: () => {
      throw new StorageFullError('/data', null);
    },
    sandboxes: { ...noSandboxes, get: async () => found, create: touched },
    snapshots: { ...noSnapshots, take: touched, restore: touched },
  });
  const answer = await ask(`${url}${pathname}`, posted(body));
  expect(answer.status).toBe(507);
  expect(answer.body).toMatchObject({ error: { details: { error_code: 'storage_full' } } });
});
