import fs from 'node:fs';
import path from 'node:path';
import { ConfigError, readConfig, UnknownOptionError } from '../../app/config/config.ts';
import { configurationPage } from '../docs/configuration-page.ts';
import type { Variable } from '../../app/config/variable.ts';
import { VARIABLES } from '../../app/config/variables.ts';
import { pageOnDisk } from '../generated-page.ts';

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}

test('an empty environment gives the documented defaults, frozen to the bottom', () => {
  const config = readConfig({}, []);
  expect(config).toEqual({
    role: 'all',
    migratesOnly: false,
    host: '127.0.0.1',
    port: 8080,
    healthPort: 8081,
    metricsAccess: 'key',
    drain: { delayMs: 0, timeoutMs: 10_000, graceMs: 3000 },
    failover: { heartbeatTimeoutMs: 1500, stickyTimeoutMs: 1000, workflowTaskTimeoutMs: 5000 },
    deployment: { name: undefined, buildId: undefined },
    startWaitMs: 300_000,
    workerQueues: ['sessions', 'batches'],
    inferenceService: undefined,
    dataDir: path.resolve('data'),
    store: undefined,
    modelsDir: path.resolve('models'),
    inference: {
      defaultModel: 'ocr',
      concurrency: undefined,
      instances: undefined,
      queue: 64,
      timeoutMs: 30_000,
      runLimitMs: 120_000,
      loadLimitMs: 120_000,
      loadMemoryMib: 4096,
      spinning: false,
      batch: 1,
      pixelLimit: 50_000_000,
    },
    trustedProxies: [],
    storageReserveBytes: 33_554_432,
    uploadLimitBytes: 33_554_432,
    batchConcurrency: 8,
    docs: true,
    apiKey: undefined,
    apiKeysFile: undefined,
    policyFile: undefined,
    secretsFile: undefined,
    secretsKey: { key: undefined, file: undefined, previous: [] },
    rateLimits: { requests: undefined, inputTokens: undefined, outputTokens: undefined, streams: undefined },
    organizationId: undefined,
    engine: {
      kind: 'embedded',
      port: 7233,
      access: 'token',
      keysFile: undefined,
      socket: false,
      tlsFiles: undefined,
      address: undefined,
      namespace: 'default',
    },
    providersFile: undefined,
    anthropic: { apiKey: undefined, baseUrl: undefined },
    sandbox: {
      isolation: 'auto',
      allowPrivate: [],
      resolve: 'local',
      limits: { memory_mib: 4096, processes: 4096, disk_mib: 10_240, files: 1_000_000, cpus: null },
      image: 'steadyhand-sandbox',
      pool: { token: undefined, members: [], waitMs: 1_800_000, lostAfterMs: 120_000 },
    },
    logLevel: 'info',
    temporalMetrics: undefined,
    tracing: false,
  });
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.engine)).toBe(true);
});

test.each([
  ['PORT', '80a', 'PORT=80a is not allowed: a whole number from 0 to 65535'],
  ['PORT', '65536', 'PORT=65536 is not allowed: a whole number from 0 to 65535'],
  ['PORT', '-1', 'PORT=-1 is not allowed: a whole number from 0 to 65535'],
  ['HOST', 'a b', 'HOST=a b is not allowed: a host name or an IP address'],
  ['ENGINE', 'Embedded', 'ENGINE=Embedded is not allowed: embedded, dev-server, cluster'],
  [
    'SANDBOX_ISOLATION',
    'remote',
    'SANDBOX_ISOLATION=remote is not allowed: remote needs SANDBOX_POOL_TOKEN, which the members of the pool know too',
  ],
  [
    'SANDBOX_POOL_TOKEN',
    'short',
    'SANDBOX_POOL_TOKEN=(hidden) is not allowed: at least 16 printable ASCII characters without spaces',
  ],
  ['SANDBOX_MEMBERS', 'desk', 'SANDBOX_MEMBERS=desk is not allowed: host:port, several with commas between'],
  ['ENGINE_ACCESS', 'off', 'ENGINE_ACCESS=off is not allowed: token, open'],
  ['ENGINE_SOCKET', 'yes', 'ENGINE_SOCKET=yes is not allowed: on, off'],
  ['ENGINE_PORT', '7e3', 'ENGINE_PORT=7e3 is not allowed: a whole number from 0 to 65535'],
  ['TEMPORAL_ADDRESS', 'temporal', 'TEMPORAL_ADDRESS=temporal is not allowed: host:port'],
  ['TEMPORAL_NAMESPACE', 'a/b', 'TEMPORAL_NAMESPACE=a/b is not allowed: a Temporal namespace'],
  ['ANTHROPIC_BASE_URL', 'ftp://a', 'ANTHROPIC_BASE_URL=ftp://a is not allowed: an http or https URL'],
  [
    'SANDBOX_ISOLATION',
    'docker',
    'SANDBOX_ISOLATION=docker is not allowed: auto, bubblewrap, container, remote, none',
  ],
  ['DEFAULT_MODEL', '../a', "DEFAULT_MODEL=../a is not allowed: a model's name"],
  ['INFERENCE_CONCURRENCY', '0', 'INFERENCE_CONCURRENCY=0 is not allowed: a whole number from 1 to 256'],
  ['INFERENCE_QUEUE', '1e3', 'INFERENCE_QUEUE=1e3 is not allowed: a whole number from 1 to 100000'],
  ['INFERENCE_SPINNING', 'true', 'INFERENCE_SPINNING=true is not allowed: on, off'],
  ['RATE_LIMIT_REQUESTS', '0', 'RATE_LIMIT_REQUESTS=0 is not allowed: a whole number from 1 to 1000000000'],
  ['ORGANIZATION_ID', 'mine', 'ORGANIZATION_ID=mine is not allowed: a UUID in lower case'],
  ['DOCS', '0', 'DOCS=0 is not allowed: on, off'],
  ...['proxy', '10.0.0.0/33', '10.0.0.1,', '::1/129', '1.2.3.4/'].map((value): [string, string, string] => [
    'TRUSTED_PROXIES',
    value,
    `TRUSTED_PROXIES=${value} is not allowed: IP addresses and CIDR ranges, with commas between`,
  ]),
  [
    'BLOBS',
    'http://bucket',
    'BLOBS=http://bucket is not allowed: s3://bucket/prefix?endpoint=https://host:port&region=us-east-1',
  ],
  [
    'BLOBS',
    's3://key:secret@bucket',
    'BLOBS=(hidden) is not allowed: it has no keys in its address: they go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    'BLOBS',
    's3://bucket',
    'BLOBS=s3://bucket is not allowed: an s3:// address needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud is not allowed: trace, debug, info, warn, error, fatal, silent'],
  ['SYSTEM_PACKAGES', 'no', 'SYSTEM_PACKAGES=no is not allowed: install, skip'],
])('%s=%s ends the start with one line', (name, value, message) => {
  expect(messageOf(() => readConfig({ [name]: value }, []))).toBe(message);
  expect(() => readConfig({ [name]: value }, [])).toThrow(ConfigError);
});

test.each(['API_KEY', 'ANTHROPIC_API_KEY'])('a wrong %s is refused without being shown', (name) => {
  expect(messageOf(() => readConfig({ [name]: 'short' }, []))).toBe(
    `${name}=(hidden) is not allowed: at least 8 printable ASCII characters without spaces`,
  );
});

const variables: Variable<unknown>[] = Object.values(VARIABLES);

test.each(variables)(
  '$name refuses something, and takes its own default or says what stands for it',
  (variable) => {
    expect(variable.parse('\0')).toBeUndefined();
    expect(
      variable.fallback === undefined ? variable.otherwise : variable.parse(variable.fallback),
    ).toBeDefined();
  },
);

test('what every process would make for itself has to be configured where they share a store', () => {
  const STORE = 'postgres://sh:secret-word@db:5432/sh';
  const SECRETS_KEY = 'ab'.repeat(32);
  expect(messageOf(() => readConfig({ STORE, SECRETS_KEY }, []))).toMatch(
    /^API_KEY= is not allowed: a key for clients, or the file API_KEYS, where STORE is PostgreSQL[^\n]*openssl rand/,
  );
  expect(messageOf(() => readConfig({ STORE, API_KEY: 'sk-some-key' }, []))).toMatch(
    /^SECRETS_KEY= is not allowed: 32 bytes [^\n]* or the file SECRETS_KEY_FILE, where STORE is PostgreSQL[^\n]*openssl rand/,
  );
  expect(readConfig({ STORE, API_KEY: 'sk-some-key', SECRETS_KEY }, [])).toMatchObject({ store: STORE });
  expect(readConfig({ STORE, API_KEYS: 'keys.yaml', SECRETS_KEY_FILE: 'key' }, [])).toMatchObject({
    store: STORE,
  });
  const TEMPORAL_ADDRESS = 'temporal:7233';
  const shared = { STORE, API_KEY: 'sk-some-key', SECRETS_KEY, TEMPORAL_ADDRESS };
  const bucket = {
    BLOBS: 's3://bytes/blobs?endpoint=http://s3:9000',
    AWS_ACCESS_KEY_ID: 'id-of-the-key',
    AWS_SECRET_ACCESS_KEY: 'secret-word',
  };
  const remote = { SANDBOX_ISOLATION: 'remote', SANDBOX_POOL_TOKEN: 'a-token-of-the-pool' };
  for (const role of ['server', 'worker']) {
    const refusal = (env: object): string =>
      messageOf(() => readConfig({ ...shared, ...env }, [`--role=${role}`]));
    expect(refusal(remote)).toMatch(/^BLOBS= is not allowed: s3:/);
    expect(refusal(bucket)).toMatch(/^SANDBOX_ISOLATION=auto is not allowed: remote, where STORE/);
    expect(readConfig({ ...shared, ...bucket, ...remote }, [`--role=${role}`]).role).toBe(role);
  }
  expect(messageOf(() => readConfig({ STORE: 'mysql://sh:secret-word@db/sh' }, []))).toBe(
    'STORE=(hidden) is not allowed: postgres://user:password@host:port/database',
  );
  expect(messageOf(() => readConfig({ STORE: 'postgres://db' }, []))).toMatch(/^STORE=/);
});

test('an empty value is an unset one', () => {
  expect(readConfig({ PORT: '', API_KEY: ' ' }, [])).toMatchObject({ port: 8080, apiKey: undefined });
});

test('one address moves to a cluster, unless the engine is named', () => {
  const address = 'temporal.internal:7233';
  expect(readConfig({ TEMPORAL_ADDRESS: address }, []).engine).toMatchObject({ kind: 'cluster', address });
  expect(readConfig({ TEMPORAL_ADDRESS: address, ENGINE: 'embedded' }, []).engine.kind).toBe('embedded');
});

test('the role comes from the command line; other options are refused', () => {
  expect(readConfig({ TEMPORAL_ADDRESS: 'temporal.internal:7233' }, ['--role=worker']).role).toBe('worker');
  expect(messageOf(() => readConfig({}, ['--role=boss']))).toBe(
    '--role=boss is not allowed: all, server, worker, inference, migrate',
  );
  expect(() => readConfig({}, ['--port=1'])).toThrow(UnknownOptionError);
  expect(messageOf(() => readConfig({}, ['--port=1']))).toBe(
    '--port=1 is no option: there is --role=<role> alone, with the roles all, server, worker, inference, migrate',
  );
});

test('a role of its own needs a cluster: two processes cannot share an engine that lives in one', () => {
  for (const ENGINE of ['embedded', 'dev-server']) {
    expect(messageOf(() => readConfig({ ENGINE }, ['--role=server']))).toBe(
      '--role=server is not allowed: all or inference, unless ENGINE=cluster: the other engines belong to one process',
    );
  }
});

test('docs/configuration.md begins with what the table says (UPDATE_PAGES=1 writes it anew)', () => {
  const page = 'docs/configuration.md';
  const written = fs.readFileSync(path.resolve(__dirname, '../..', page), 'utf8');
  // What people wrote begins with the first heading of the second level.
  const whole = configurationPage() + written.slice(written.indexOf('\n## '));
  expect(pageOnDisk(page, whole)).toBe(whole);
});

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, false],
])('traces are sent where a collector is named and nothing forbids it: %j', (env, tracing) => {
  expect(readConfig(env, []).tracing).toBe(tracing);
});
