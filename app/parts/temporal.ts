import path from 'node:path';
import { type Engine, ensureSearchAttributes, startEngine } from '@steadyhand/engine';
import { fileFault, type StorageGuard } from '@steadyhand/store';
import { readEngineKeysFile } from '../config/engine-keys-file.ts';
import { readEngineTls } from '../config/engine-tls.ts';
import type { Start } from './start.ts';

const ATTRIBUTES = { state: 'SteadyhandState', session: 'SteadyhandSession' } as const;

export interface Temporal {
  readonly engine: Engine;
  /** The names of the search attributes; undefined when the Temporal service has none. */
  readonly attributes: typeof ATTRIBUTES | undefined;
}

/** Starts the Temporal service that the configuration names, or connects to it. */
export async function startTemporal(
  { config, log, shutdown }: Start,
  guard: StorageGuard,
): Promise<Temporal> {
  const engineDir = path.join(config.dataDir, 'engine');
  const { keysFile, tlsFiles } = config.engine;
  const engine = await startEngine({
    ...config.engine,
    ...(keysFile === undefined ? {} : { keys: readEngineKeysFile(keysFile) }),
    tls: tlsFiles === undefined ? undefined : readEngineTls(tlsFiles),
    dataDir: engineDir,
    log,
    onCommitError: (error) => void guard.failed(error),
  }).catch((error: unknown) => {
    throw fileFault(path.join(engineDir, 'engine.db'), error);
  });
  shutdown.add(() => engine.stop());
  const hasAttributes = await ensureSearchAttributes(engine, {
    [ATTRIBUTES.state]: 'Keyword',
    [ATTRIBUTES.session]: 'Keyword',
  });
  return { engine, attributes: hasAttributes ? ATTRIBUTES : undefined };
}
