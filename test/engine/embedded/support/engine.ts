import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import {
  type EmbeddedEngineOptions,
  startEmbeddedEngine,
} from '../../../../engine/embedded/start-embedded-engine.ts';
import type { Engine } from '../../../../engine/connection/engine.ts';

export const quietLogger: EmbeddedEngineOptions['logger'] = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (details, message) => {
    process.stderr.write(`engine error: ${message} ${String((details as { err?: Error }).err?.stack)}\n`);
  },
};

export interface TestEngine {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly client: Client;
  readonly dbPath: string;
  close(): Promise<void>;
}

/** An engine on a database of its own, with a client; `dbPath` to go on with the database of another one. */
export async function startTestEngine(
  options: Partial<EmbeddedEngineOptions> & { keepDatabase?: boolean } = {},
): Promise<TestEngine> {
  const { keepDatabase, ...engineOptions } = options;
  const folder = engineOptions.dbPath ? undefined : mkdtempSync(join(tmpdir(), 'embedded-engine-'));
  const dbPath = engineOptions.dbPath ?? join(folder ?? '', 'engine.db');
  const engine = await startEmbeddedEngine({
    port: 0,
    fallbackToFreePort: false,
    logger: quietLogger,
    ...engineOptions,
    dbPath,
  });
  const connection = await Connection.connect(engine.connection);
  return {
    engine,
    connection,
    client: new Client({ connection, namespace: engine.namespace }),
    dbPath,
    close: async () => {
      await connection.close();
      await engine.stop();
      if (folder && !keepDatabase) rmSync(folder, { recursive: true, force: true });
    },
  };
}
