import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { engineOf } from './product-engine.ts';
import type { Product } from './product.ts';
import { type NamedHistory, replayHistories } from './replay-histories.ts';

/** Does some work with a Temporal client of a product's engine. */
export async function withEngine<T>(product: Product, work: (client: Client) => Promise<T>): Promise<T> {
  const { connection: to, namespace } = await engineOf(product);
  const connection = await Connection.connect(to);
  try {
    return await work(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}

/** Replays every session history that a product's engine holds against the built workflows; answers how many. */
export function replaySessions(product: Product): Promise<number> {
  const workflowBundle = { code: readFileSync('dist/workflow-bundle.js', 'utf8') };
  return withEngine(product, (client) =>
    replayHistories(workflowBundle, historiesOf(client, "WorkflowType = 'session'")),
  );
}

/** The histories of the runs that a query finds. */
export async function* historiesOf(client: Client, query: string): AsyncGenerator<NamedHistory> {
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}
