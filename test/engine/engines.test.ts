import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { connectCluster } from '../../engine/cluster.ts';
import {
  type Engine,
  EngineUnavailableError,
  ensureSearchAttributes,
  startEngine,
} from '../../engine/index.ts';
import { listening } from '../support/listening.ts';
import { quietRuntime } from '../support/temporal-runtime.ts';

let dir: string;
let engine: Engine;
/** What a process needs in its environment to call that engine. */
let access: Record<string, string>;
beforeAll(async () => {
  quietRuntime();
  dir = await mkdtemp(join(tmpdir(), 'engines-'));
  engine = await startEngine({
    kind: 'embedded',
    dataDir: join(dir, 'engine'),
    port: 0,
    namespace: 'steady',
  });
  access = { TEMPORAL_API_KEY: engine.connection.apiKey ?? '', TEMPORAL_TLS: 'false' };
});
afterAll(async () => {
  await engine.stop();
  await rm(dir, { recursive: true, force: true });
  await Runtime.instance().shutdown();
});

const attributes = { SteadyhandState: 'Keyword', SteadyhandSession: 'Keyword' } as const;

describe('ensureSearchAttributes', () => {
  test('registers what is missing, and is content with what is there', async () => {
    expect(await ensureSearchAttributes(engine, attributes)).toBe(true);
    expect(await ensureSearchAttributes(engine, attributes)).toBe(true);
  });

  test('says so at once when a name has another type, or no field is left', async () => {
    const start = performance.now();
    expect(await ensureSearchAttributes(engine, { SteadyhandState: 'Int' })).toBe(false);
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`Many${i}`, 'Keyword' as const]));
    expect(await ensureSearchAttributes(engine, many)).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('ENGINE=cluster', () => {
  const list = async (cluster: Engine): Promise<string[]> => {
    const connection = await Connection.connect(cluster.connection);
    const client = new Client({ connection, namespace: cluster.namespace });
    const found: string[] = [];
    for await (const run of client.workflow.list({ query: `SteadyhandState = 'idle'` }))
      found.push(run.workflowId);
    await connection.close();
    return found;
  };

  test('takes address and namespace from the environment, for clients and workers alike', async () => {
    await ensureSearchAttributes(engine, attributes);
    const env = { ...access, TEMPORAL_ADDRESS: engine.address, TEMPORAL_NAMESPACE: 'steady' };
    const cluster = await connectCluster({ env });
    expect(cluster).toMatchObject({ kind: 'cluster', address: engine.address, namespace: 'steady' });
    const connection = await Connection.connect(cluster.connection);
    const client = new Client({ connection, namespace: cluster.namespace });
    await client.workflow.start('never-taken', {
      taskQueue: 'q',
      workflowId: 'w',
      searchAttributes: { SteadyhandState: ['idle'] },
    });
    await connection.close();
    expect(await list(cluster)).toEqual(['w']);
    const native = await NativeConnection.connect(cluster.connection);
    await native.close();
    await cluster.stop();
    expect(await list(engine)).toEqual(['w']);
  });

  test('reads the profile that TEMPORAL_PROFILE names, with its metadata', async () => {
    const file = join(dir, 'temporal.toml');
    const toml = `[profile.work]\naddress = "${engine.address}"\nnamespace = "steady"\n[profile.work.grpc_meta]\nteam = "red"\n`;
    await writeFile(file, toml);
    const env = { ...access, TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'work' };
    const cluster = await connectCluster({ env, namespace: 'fallback' });
    expect(cluster.namespace).toBe('steady');
    const native = await NativeConnection.connect(cluster.connection);
    const connection = await Connection.connect(cluster.connection);
    await Promise.all([native.close(), connection.close()]);
    expect(cluster.connection).toMatchObject({ address: engine.address, metadata: { team: 'red' } });
  });

  test('connects over TLS with an API key, trusting the authority it is told of', async () => {
    // The engine itself speaks plain text on loopback: TLS ends at this proxy, as it does at a cluster's gate.
    const tls = join(__dirname, 'tls');
    const [host = '', port = ''] = engine.address.split(':');
    const pem = {
      key: readFileSync(join(tls, 'localhost.key')),
      cert: readFileSync(join(tls, 'localhost.crt')),
    };
    const open = new Set<{ destroy(): unknown }>();
    const proxy = createServer({ ...pem, ALPNProtocols: ['h2'] }, (socket) => {
      const upstream = connect(Number(port), host);
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) {
        open.add(end);
        end.on('error', () => end.destroy());
      }
    });
    const tlsPort = await listening(proxy);
    const address = `localhost:${tlsPort}`;
    const key = access['TEMPORAL_API_KEY'] ?? '';
    const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'steady', TEMPORAL_API_KEY: key };
    await expect(connectCluster({ env, connectTimeoutMs: 1000 })).rejects.toThrow(
      `no answer from ${address}`,
    );
    const trusting = { ...env, TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(tls, 'ca.crt') };
    const cluster = await connectCluster({ env: trusting });
    expect(cluster.connection).toMatchObject({ address, apiKey: key, tls: {} });
    const native = await NativeConnection.connect(cluster.connection);
    await native.close();
    for (const socket of open) socket.destroy();
    proxy.close();
  });

  test('says what is missing or wrong', async () => {
    await expect(connectCluster({ env: {} })).rejects.toThrow('ENGINE=cluster: set TEMPORAL_ADDRESS');
    const nobody = connectCluster({ env: { TEMPORAL_ADDRESS: '127.0.0.1:1' }, connectTimeoutMs: 500 });
    await expect(nobody).rejects.toThrow('ENGINE=cluster: no answer from 127.0.0.1:1');
    const env = { ...access, TEMPORAL_ADDRESS: engine.address, TEMPORAL_NAMESPACE: 'no-such' };
    await expect(connectCluster({ env })).rejects.toThrow(
      /refuses namespace no-such: .*Namespace no-such is not found/,
    );
    const profile = connectCluster({
      env: { TEMPORAL_CONFIG_FILE: join(dir, 'gone.toml'), TEMPORAL_PROFILE: 'x' },
    });
    await expect(profile).rejects.toThrow(EngineUnavailableError);
  });
});

describe('ENGINE=embedded', () => {
  test('takes the next free port when the wanted one is taken', async () => {
    const port = Number(engine.address.split(':')[1]);
    const second = await startEngine({ kind: 'embedded', dataDir: join(dir, 'second'), port });
    expect(second.address).not.toBe(engine.address);
    expect(second.namespace).toBe('default');
    await second.stop();
    await second.stop();
  });
});
