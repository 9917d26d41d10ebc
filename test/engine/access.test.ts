import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { type Engine, startEngine } from '../../engine/index.ts';
import { type EngineConfig } from '../../engine/start-engine.ts';

let dir: string;
let engine: Engine | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'engine-access-'));
});
afterEach(async () => {
  await engine?.stop();
  engine = undefined;
  rmSync(dir, { recursive: true, force: true });
});

const UNAUTHENTICATED = 16;

async function start(options: Partial<EngineConfig> = {}): Promise<Engine> {
  engine = await startEngine({ kind: 'embedded', dataDir: join(dir, 'engine'), port: 0, ...options });
  return engine;
}

/** What a client with this key is answered when it asks for the namespaces. */
async function asking(
  { address }: Engine,
  options: { apiKey?: string; metadata?: Record<string, string> },
): Promise<unknown> {
  const connection = Connection.lazy({ address, tls: false, interceptors: [], ...options });
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({});
    return namespaces.map(({ namespaceInfo }) => namespaceInfo?.name);
  } catch (error) {
    const { code, details } = error as { code: number; details: string };
    return { code, details };
  } finally {
    await connection.close();
  }
}

test('only those who present the token of the folder are served, clients and workers alike', async () => {
  const started = await start();
  const { connection, tokenFile = '' } = started;
  const token = readFileSync(tokenFile, 'utf8').trim();
  const refused = { code: UNAUTHENTICATED, details: expect.stringContaining(tokenFile) as string };
  expect(await asking(started, {})).toEqual(refused);
  expect(await asking(started, { apiKey: `${token}x` })).toEqual(refused);
  expect(await asking(started, { apiKey: token.slice(0, -1) })).toEqual(refused);
  expect(await asking(started, { metadata: { authorization: `Basic ${token}` } })).toEqual(refused);
  expect(await asking(started, { metadata: { 'x-api-key': token } })).toEqual(refused);
  expect(await asking(started, { apiKey: token })).toEqual(['default']);
  await expect(NativeConnection.connect({ address: started.address })).rejects.toThrow(/API key/);
  await (await NativeConnection.connect(connection)).close();
  await (await Connection.connect(connection)).close();
});

test('whether it serves at all is told to everybody', async () => {
  const { address } = await start();
  const connection = Connection.lazy({ address });
  const service = 'temporal.api.workflowservice.v1.WorkflowService';
  expect((await connection.healthService.check({ service })).status).toBe(1);
  await connection.close();
});

test('the token is made once, for the owner alone, and taken back from others who could read it', async () => {
  const first = await start();
  const { tokenFile = '' } = first;
  const token = readFileSync(tokenFile, 'utf8');
  expect(token).toMatch(/^steadyhand-engine-[\w-]{43}\n$/);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'engine')).mode & 0o777).toBe(0o700);
  await first.stop();
  chmodSync(tokenFile, 0o644);
  await start();
  expect(readFileSync(tokenFile, 'utf8')).toBe(token);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
});

test('a file without a token in it ends the start and is left alone', async () => {
  const { tokenFile = '' } = await start();
  await engine?.stop();
  writeFileSync(tokenFile, '\n');
  await expect(start()).rejects.toThrow(`${tokenFile} holds no token; delete it to have a new one made`);
  expect(readFileSync(tokenFile, 'utf8')).toBe('\n');
});

test('asked for by name, everybody is served and no token is made', async () => {
  const open = await start({ access: 'open' });
  expect(open.tokenFile).toBeUndefined();
  expect(await asking(open, {})).toEqual(['default']);
});
