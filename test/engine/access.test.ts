import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
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

type StartRequest = Parameters<Connection['workflowService']['startWorkflowExecution']>[0];

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

const pem = (name: string): Buffer => readFileSync(join(__dirname, 'tls', name));
const server = {
  host: '127.0.0.1',
  port: 0,
  cert: String(pem('localhost.crt')),
  key: String(pem('localhost.key')),
};

/** What a client that comes in by TLS is answered when it asks for the namespaces. */
async function askingByTls(started: Engine, client?: string, apiKey?: string): Promise<unknown> {
  const connection = Connection.lazy({
    address: started.tlsAddress ?? '',
    tls: {
      serverRootCACertificate: pem('ca.crt'),
      serverNameOverride: 'localhost',
      ...(client === undefined
        ? {}
        : { clientCertPair: { crt: pem(`${client}.crt`), key: pem(`${client}.key`) } }),
    },
    connectTimeout: 3000,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  try {
    const { namespaces } = await connection.withDeadline(Date.now() + 3000, () =>
      connection.workflowService.listNamespaces({}),
    );
    return namespaces.map(({ namespaceInfo }) => namespaceInfo?.name);
  } catch (error) {
    return (error as { code: number }).code;
  } finally {
    await connection.close();
  }
}

const UNAVAILABLE = 14;
const DEADLINE_EXCEEDED = 4;

test('by TLS, those are served who present a key', async () => {
  const started = await start({ tls: server });
  expect(await askingByTls(started)).toBe(UNAUTHENTICATED);
  expect(await askingByTls(started, undefined, started.connection.apiKey)).toEqual(['default']);
  const native = await NativeConnection.connect({
    address: started.tlsAddress ?? '',
    tls: { serverRootCACertificate: pem('ca.crt'), serverNameOverride: 'localhost' },
    apiKey: started.connection.apiKey ?? '',
  });
  await native.close();
});

test('by TLS with an authority for clients, those are served whose certificate it has signed', async () => {
  const started = await start({ tls: { ...server, clientCa: String(pem('client-ca.crt')) } });
  expect(await askingByTls(started, 'client')).toEqual(['default']);
  for (const client of [undefined, 'stranger'])
    expect([UNAVAILABLE, DEADLINE_EXCEEDED]).toContain(await askingByTls(started, client));
  // The port on loopback goes on asking for the token.
  expect(await asking(started, {})).toMatchObject({ code: UNAUTHENTICATED });
});

test('a Unix socket serves without a key whoever may enter its folder', async () => {
  const started = await start({ socket: true });
  const { socketFile = '' } = started;
  expect(statSync(dirname(socketFile)).mode & 0o077).toBe(0);
  const channel = new grpc.Client(`unix:${socketFile}`, grpc.credentials.createInsecure());
  const { ListNamespacesRequest, ListNamespacesResponse } = proto.temporal.api.workflowservice.v1;
  const answer = await new Promise<string[]>((resolve, reject) => {
    channel.makeUnaryRequest(
      '/temporal.api.workflowservice.v1.WorkflowService/ListNamespaces',
      (request: proto.temporal.api.workflowservice.v1.ListNamespacesRequest) =>
        Buffer.from(ListNamespacesRequest.encode(request).finish()),
      (bytes) => ListNamespacesResponse.decode(bytes),
      ListNamespacesRequest.create({}),
      (error, response) => {
        if (error) reject(error);
        else resolve((response?.namespaces ?? []).map(({ namespaceInfo }) => namespaceInfo?.name ?? ''));
      },
    );
  });
  channel.close();
  expect(answer).toEqual(['default']);
  await started.stop();
  // A file that a killed engine left there does not stop the next start.
  writeFileSync(socketFile, '');
  await start({ socket: true });
});

describe('a key of some namespaces', () => {
  const key = 'the-key-of-the-first-team';
  const keys = [
    { name: 'first', sha256: createHash('sha256').update(key).digest('hex'), namespaces: ['first'] },
  ];
  const week = { seconds: (7 * 86_400) as never };
  const denied = { code: 7, details: 'Request unauthorized.' };

  async function teams(): Promise<{ own: Connection; all: Connection }> {
    const { address, connection } = await start({ keys });
    const all = await Connection.connect(connection);
    for (const namespace of ['first', 'second'])
      await all.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: week });
    const own = await Connection.connect({ address, apiKey: key, tls: false });
    return { own, all };
  }
  const begin = (namespace: string): StartRequest => ({
    namespace,
    workflowId: 'w',
    workflowType: { name: 't' },
    taskQueue: { name: 'q' },
    requestId: 'r',
  });

  test('opens these, and nothing of the others', async () => {
    const { own, all } = await teams();
    await own.workflowService.startWorkflowExecution(begin('first'));
    await all.workflowService.startWorkflowExecution(begin('second'));
    expect((await own.workflowService.describeNamespace({ namespace: 'first' })).namespaceInfo?.name).toBe(
      'first',
    );
    const execution = { workflowId: 'w' };
    const refused = [
      () => own.workflowService.startWorkflowExecution(begin('second')),
      () => own.workflowService.getWorkflowExecutionHistory({ namespace: 'second', execution }),
      () => own.workflowService.listNamespaces({}),
      () => own.workflowService.describeNamespace({ id: 'x' }),
      () =>
        own.workflowService.registerNamespace({ namespace: 'third', workflowExecutionRetentionPeriod: week }),
      () => own.operatorService.listSearchAttributes({ namespace: 'second' }),
      () =>
        own.workflowService.signalWorkflowExecution({
          namespace: '',
          workflowExecution: execution,
          signalName: 's',
        }),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject(denied);
    await own.close();
    await all.close();
  });

  test('does not answer a task of another namespace, and starts no child there', async () => {
    const { own, all } = await teams();
    await all.workflowService.startWorkflowExecution(begin('second'));
    await own.workflowService.startWorkflowExecution(begin('first'));
    const poll = (connection: Connection, namespace: string) =>
      connection.withDeadline(Date.now() + 10_000, () =>
        connection.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: 'q' } }),
      );
    const { taskToken } = await poll(all, 'second');
    await expect(
      own.workflowService.respondWorkflowTaskCompleted({ namespace: 'first', taskToken }),
    ).rejects.toMatchObject(denied);
    const task = await poll(own, 'first');
    const child = {
      commandType: 11,
      startChildWorkflowExecutionCommandAttributes: {
        namespace: 'second',
        workflowId: 'child',
        workflowType: { name: 't' },
        taskQueue: { name: 'q' },
      },
    };
    const answer = { namespace: 'first', taskToken: task.taskToken };
    await expect(
      own.workflowService.respondWorkflowTaskCompleted({ ...answer, commands: [child] }),
    ).rejects.toMatchObject(denied);
    await own.workflowService.respondWorkflowTaskCompleted(answer);
    await own.close();
    await all.close();
  });
});
