import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type Engine, ensureSearchAttributes, startEngine } from '../../../engine/index.ts';
import { exportHistories } from '../../../engine/histories/export-histories.ts';
import { type ImportTally, importHistories } from '../../../engine/histories/import-histories.ts';
import { long } from '../../../engine/embedded/protocol/values.ts';
import { OperatorConnection } from '../../../engine/histories/operator-connection.ts';
import { until } from '../until.ts';

export type Kind = 'embedded' | 'dev-server' | 'cluster';

/** A Temporal service with a client. */
export interface Service {
  readonly engine: Engine;
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** A service for one test. On a cluster (TEMPORAL_ADDRESS) that is a namespace of its own. */
export async function startService(kind: Kind, folder: string): Promise<Service> {
  const namespace = kind === 'cluster' ? await newNamespace() : 'default';
  const engine = await startEngine({ kind, dataDir: join(folder, kind), port: 0, access: 'open', namespace });
  const connection = await Connection.connect(engine.connection);
  return {
    engine,
    connection,
    client: new Client({ connection, namespace }),
    close: async () => {
      await connection.close();
      await engine.stop();
    },
  };
}

async function newNamespace(): Promise<string> {
  const namespace = `moved-${randomUUID()}`;
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  const { workflowService } = connection;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: long(86_400) },
  });
  await until(async () => {
    try {
      await workflowService.listWorkflowExecutions({ namespace, query: '' });
      return true;
    } catch {
      return false;
    }
  });
  await connection.close();
  return namespace;
}

/** What a move told, and what became of the runs. */
export interface Moved {
  readonly notes: readonly string[];
  readonly tally: ImportTally;
}

export async function exportFrom(
  { connection, engine }: Service,
  folder: string,
  query = '',
): Promise<string[]> {
  const notes: string[] = [];
  const { namespace } = engine;
  await exportHistories({ connection, namespace, folder, query, report: (note) => notes.push(note) });
  return notes;
}

export async function importInto({ engine }: Service, path: string): Promise<Moved> {
  const notes: string[] = [];
  const connection = await OperatorConnection.open(engine.connection);
  try {
    const tally = await importHistories({
      connection,
      namespace: engine.namespace,
      path,
      ensureSearchAttributes: (types) => ensureSearchAttributes(engine, types),
      report: (note) => notes.push(note),
    });
    return { notes, tally };
  } finally {
    await connection.close();
  }
}
