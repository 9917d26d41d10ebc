import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { EngineConnection, EngineKind } from '../../engine/connection/engine.ts';
import { type SearchAttributeType, ensureSearchAttributes } from '../../engine/search-attributes.ts';
import { type EngineAccess, startEngine } from '../../engine/start-engine.ts';

/** A Temporal service for a test. */
export interface TestEngine {
  readonly connection: EngineConnection;
  /** What a process needs in its environment to use this service by ENGINE=cluster. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * The embedded engine on a folder of its own. `STEADYHAND_TEST_ENGINE=dev-server` (with the CLI on PATH) or `=cluster` (with
 * TEMPORAL_ADDRESS) runs the same test on a real server.
 */
export async function startTestEngine(
  options: {
    searchAttributes?: Readonly<Record<string, SearchAttributeType>>;
    /** Default: a free one. */
    port?: number;
    /** Default `token`. */
    access?: EngineAccess;
  } = {},
): Promise<TestEngine> {
  const kind = (process.env['STEADYHAND_TEST_ENGINE'] ?? 'embedded') as EngineKind;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-engine-'));
  const { port = 0, access = 'token' } = options;
  const engine = await startEngine({ kind, dataDir, port, access, address: process.env['TEMPORAL_ADDRESS'] });
  if (options.searchAttributes) await ensureSearchAttributes(engine, options.searchAttributes);
  return {
    connection: engine.connection,
    env: environmentOf(engine.connection),
    async stop() {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function environmentOf({ address, apiKey }: EngineConnection): Record<string, string> {
  const at = { ENGINE: 'cluster', TEMPORAL_ADDRESS: address };
  return apiKey === undefined ? at : { ...at, TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: 'false' };
}
