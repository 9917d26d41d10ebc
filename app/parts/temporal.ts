import path from 'node:path';
import { Connection } from '@temporalio/client';
import { type Engine, EngineUnavailableError, ensureSearchAttributes, startEngine } from '@steadyhand/engine';
import { fileFault, type StorageGuard } from '@steadyhand/store';
import { readEngineKeysFile } from '../config/engine-keys-file.ts';
import { readEngineTls } from '../config/engine-tls.ts';
import type { Start } from './start.ts';

const ATTRIBUTES = { state: 'SteadyhandState', session: 'SteadyhandSession' } as const;

/** gRPC's codes of a service that answers later: deadline exceeded, unavailable. */
const TEMPORARY_CODES: readonly unknown[] = [4, 14];
const PERMISSION_DENIED = 7;

export interface Temporal {
  readonly engine: Engine;
  /** The client's connection of this process. */
  readonly connection: Connection;
  /** The names of the search attributes; undefined when the Temporal service has none. */
  readonly attributes: typeof ATTRIBUTES | undefined;
}

/** Starts the Temporal service that the configuration names, or connects to it as soon as it answers. */
export async function startTemporal(
  { config, log, patience, readiness, shutdown }: Start,
  guard: StorageGuard,
): Promise<Temporal> {
  const engineDir = path.join(config.dataDir, 'engine');
  const { keysFile, tlsFiles } = config.engine;
  const options = {
    ...config.engine,
    ...(keysFile === undefined ? {} : { keys: readEngineKeysFile(keysFile) }),
    tls: tlsFiles === undefined ? undefined : readEngineTls(tlsFiles),
    dataDir: engineDir,
    log,
    onCommitError: (error: unknown) => void guard.failed(error),
  };
  const engine = await patience
    .until('Temporal', isTemporary, () => startEngine(options))
    .catch((error: unknown) => {
      throw fileFault(path.join(engineDir, 'engine.db'), error);
    });
  shutdown.add(() => engine.stop());
  const { connection, hasAttributes } = await patience.until('Temporal', isTemporary, () => connect(engine));
  shutdown.add(() => connection.close());
  // The embedded engine is this process.
  if (engine.kind !== 'embedded')
    readiness.add({ name: 'temporal', look: (signal) => lookAt(connection, engine.namespace, signal) });
  return { engine, connection, attributes: hasAttributes ? ATTRIBUTES : undefined };
}

async function connect(
  engine: Engine,
): Promise<{ readonly connection: Connection; readonly hasAttributes: boolean }> {
  const hasAttributes = await ensureSearchAttributes(engine, {
    [ATTRIBUTES.state]: 'Keyword',
    [ATTRIBUTES.session]: 'Keyword',
  });
  return { connection: await Connection.connect(engine.connection), hasAttributes };
}

async function lookAt(connection: Connection, namespace: string, signal: AbortSignal): Promise<void> {
  try {
    await connection.withAbortSignal(signal, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    // A key may well be allowed to work in a namespace and not to describe it.
    if ((error as { readonly code?: unknown }).code !== PERMISSION_DENIED) throw error;
  }
}

/** Whether a failure to reach the Temporal service may pass by itself. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof EngineUnavailableError) return error.isTemporary;
  if (!(error instanceof Error)) return false;
  // The client's and the worker's errors when a connection is not made in time.
  if (error.name === 'TransportError' || error.message.startsWith('Failed to connect before the deadline'))
    return true;
  return TEMPORARY_CODES.includes((error as { readonly code?: unknown }).code);
}
