import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { ApiError } from '@steadyhand/contracts';
import { createBatches } from '../../batches/index.ts';
import { InferenceError } from '../../inference/common/errors.ts';
import type { Inference } from '../../inference/inference.ts';
import { createProviderRegistry } from '../../messages/routing/registry.ts';
import { createServer, type Server } from '../../server/create-server.ts';
import type { ServerDeps } from '../../server/deps.ts';
import type {
  SandboxFileService,
  SandboxService,
  ScreenRecordingService,
  SnapshotService,
  SessionRuntime,
  WatchingService,
} from '../../server/routes/services.ts';
import { createLogger } from '../../server/log.ts';
import { createFiles, createSessions } from '../../sessions/index.ts';
import { createIds, openStore, type Store } from '../../store/index.ts';

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly store: Store;
  /** The calls that the server made to the running side of sessions, which is not there. */
  readonly runtimeCalls: string[];
  /** Every log line so far, parsed. */
  readonly logged: Record<string, unknown>[];
}

const running: (() => Promise<void>)[] = [];

/** No workflow runs here: what the server asks of one is written down. */
function recordingRuntime(calls: string[]): SessionRuntime {
  return {
    deliver: async (id) => void calls.push(`deliver ${id}`),
    end: async (id) => void calls.push(`end ${id}`),
    state: async () => null,
    takeOver: async (id) => (calls.push(`take over ${id}`), null),
    handBack: async (id) => (calls.push(`hand back ${id}`), null),
  };
}

/** No computer here: every id is unknown. */
export const noSandboxes: SandboxService = {
  create: () => Promise.reject(new ApiError('api_error', 'there is no sandbox here')),
  list: async () => [],
  get: async (id) => unknownSandbox(id),
  screenshot: async (id) => unknownSandbox(id),
  performAll: async (id) => unknownSandbox(id),
  windowTitle: async (id) => unknownSandbox(id),
  isKnown: async (id) => unknownSandbox(id),
  networkLog: async (id) => unknownSandbox(id),
  delete: async (id) => unknownSandbox(id),
};

export const noSnapshots: SnapshotService = {
  take: async (id) => unknownSandbox(id),
  listOf: async (id) => unknownSandbox(id),
  restore: async (id) => unknownSandbox(id),
  removeOf: async (id) => unknownSandbox(id),
  list: async () => [],
  find: async () => null,
  remove: async () => false,
};

const noWatching: WatchingService = {
  watch: async (id) => unknownSandbox(id),
  takeOver: async (id) => unknownSandbox(id),
  handBack: async (id) => unknownSandbox(id),
  read: async (id) => unknownSandbox(id),
  sessionOf: async () => null,
};

const noRecording: ScreenRecordingService = {
  read: async (id) => unknownSandbox(id),
  switch: async (id) => unknownSandbox(id),
  segment: async (id) => unknownSandbox(id),
};

const noSandboxFiles: SandboxFileService = {
  list: async (id) => unknownSandbox(id),
  describe: async (id) => unknownSandbox(id),
  read: async (id) => unknownSandbox(id),
  write: async (id) => unknownSandbox(id),
  remove: async (id) => unknownSandbox(id),
  makeFolder: async (id) => unknownSandbox(id),
  move: async (id) => unknownSandbox(id),
};

function unknownSandbox(id: string): never {
  throw new ApiError('not_found_error', `Sandbox not found: ${id}`);
}

/** No model here: every name is unknown. */
const noInference: Inference = {
  defaultModel: 'ocr',
  ready: () => false,
  models: () => [],
  model: (name) => unknownModel(name),
  analyze: async ({ model }) => unknownModel(model ?? 'ocr'),
  infer: async ({ model }) => unknownModel(model),
  load: async (name) => unknownModel(name),
  unload: async (name) => unknownModel(name),
  settled: async () => {},
  observe: () => () => {},
  close: async () => {},
};

function unknownModel(name: string): never {
  throw new InferenceError('model_not_found', `No model is called ${name}`, { field: 'model' });
}

/** No Temporal service here: every workflow is unknown. */
const unknownWorkflow = (): Promise<never> =>
  Promise.reject(new ApiError('not_found_error', 'Workflow not found'));
// eslint-disable-next-line require-yield
async function* noEvents(): AsyncGenerator<never, undefined, undefined> {
  return await unknownWorkflow();
}
const noWorkflows: ServerDeps['workflows'] = {
  namespace: unknownWorkflow,
  list: unknownWorkflow,
  count: unknownWorkflow,
  describe: unknownWorkflow,
  resolve: unknownWorkflow,
  runs: unknownWorkflow,
  history: unknownWorkflow,
  follow: noEvents,
  historyFile: noEvents,
  payload: unknownWorkflow,
  explain: unknownWorkflow,
  compare: unknownWorkflow,
  stackTrace: unknownWorkflow,
  interface: unknownWorkflow,
  query: unknownWorkflow,
  signal: unknownWorkflow,
  update: unknownWorkflow,
  cancel: unknownWorkflow,
  terminate: unknownWorkflow,
  reset: unknownWorkflow,
  startBatch: unknownWorkflow,
  batch: unknownWorkflow,
  taskQueue: unknownWorkflow,
};

/** The port of the last server of a file that serves all on one. */
let onePort: number | undefined;

/**
 * Has each server of this file that stands alone listen where the one before did, where that is possible: a browser keeps what it
 * has compiled of the pages by address.
 */
export function serveOnOnePort(): void {
  onePort ??= 0;
}

/** Starts a real server with a real store on a free port of loopback; `stopServers` ends it. */
export async function startServer(overrides: Partial<ServerDeps> = {}): Promise<Running> {
  const logged: Record<string, unknown>[] = [];
  const runtimeCalls: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) {
        logged.push(JSON.parse(line) as Record<string, unknown>);
      }
      done();
    },
  });
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'server-test-'));
  const store = await openStore({ dir });
  const deps: ServerDeps = {
    host: '127.0.0.1',
    port: running.length === 0 ? (onePort ?? 0) : 0,
    access: { kind: 'local' },
    organization: '5d4f3b0e-6f2b-4c59-9a53-0a1f6f6c2f11',
    log: createLogger('debug', sink),
    staticDir: path.resolve('static'),
    newId: createIds(),
    health: () => ({
      version: '1.2.3',
      engine: { kind: 'embedded', address: '127.0.0.1:7233', namespace: 'default' },
      desktop: { available: false, isolation: null, reason: 'bwrap is not on PATH' },
    }),
    providers: createProviderRegistry([]),
    catalog: createProviderRegistry([]),
    sessions: createSessions({ store }),
    blobs: store.blobs,
    files: createFiles({ store, newId: createIds() }),
    runtime: recordingRuntime(runtimeCalls),
    batches: createBatches({ store, newId: createIds() }),
    batchRuntime: { deliver: async (id) => void runtimeCalls.push(`deliver ${id}`) },
    sandboxes: noSandboxes,
    sandboxFiles: noSandboxFiles,
    snapshots: noSnapshots,
    screenRecording: noRecording,
    watching: noWatching,
    ticketKey: 'the key of tickets',
    onceOnly: store.onceOnly,
    rates: store.rates,
    workflows: noWorkflows,
    inference: noInference,
    docs: true,
    uploadLimitBytes: 32 * 1024 * 1024,
    ...overrides,
  };
  const { server, url, port } = await listening(deps, overrides.port === undefined);
  if (onePort !== undefined) onePort = port;
  running.push(async () => {
    await server.close(500);
    await store.close();
    fs.rmSync(dir, { recursive: true, force: true });
  });
  return { url, port, server, store, runtimeCalls, logged };
}

/** A server that listens: where its port was taken meanwhile, on another one if it may. */
async function listening(
  deps: ServerDeps,
  mayMove: boolean,
): Promise<{ server: Server; url: string; port: number }> {
  const server = createServer(deps);
  try {
    return { server, ...(await server.listen()) };
  } catch (error) {
    if (!mayMove || deps.port === 0) throw error;
    return await listening({ ...deps, port: 0 }, mayMove);
  }
}

export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((stop) => stop()));
}

/** An answer's status, headers and JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Asks as the official clients do: every request of theirs says which version of the API it means. */
export async function ask(url: string, init?: RequestInit): Promise<Answer> {
  const headers = new Headers(init?.headers);
  if (!headers.has('anthropic-version')) headers.set('anthropic-version', '2023-06-01');
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}
