import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Product } from './product.ts';

/** Replays every session history that a product's engine holds against the built workflows; answers how many. */
export async function replaySessions(product: Product): Promise<number> {
  const health = (await (await fetch(`${product.url}/health`)).json()) as {
    engine: { address: string; namespace: string };
  };
  const connection = await Connection.connect({ address: health.engine.address });
  const client = new Client({ connection, namespace: health.engine.namespace });
  const workflowBundle = { code: readFileSync('dist/workflow-bundle.js', 'utf8') };
  let replayed = 0;
  try {
    for await (const { workflowId, runId } of client.workflow.list({ query: "WorkflowType = 'session'" })) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
      replayed++;
    }
  } finally {
    await connection.close();
  }
  return replayed;
}
