import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkerOptions, WorkflowBundle } from '@temporalio/worker';
import { actorClient, type ActorClient } from '../../../statechart/client/index.ts';
import type { AnyStateMachine } from 'xstate';
import { startTestEngine } from '../../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';

/** A worker with the machines of these tests, and clients of them. */
export interface Workshop {
  readonly temporal: TestTemporal;
  readonly bundle: WorkflowBundle;
  clientOf<TMachine extends AnyStateMachine>(
    machine: TMachine,
    workflowType: string,
    isFound?: boolean,
  ): ActorClient<TMachine>;
  close(): Promise<void>;
}

export async function openWorkshop(
  options: Partial<WorkerOptions> = {},
  machines = path.join(__dirname, 'machines.ts'),
): Promise<Workshop> {
  const bundle = await bundleWorkflows(machines);
  const engine = await startTestEngine();
  const temporal = await connectTemporal(engine.connection);
  const worker = await temporal.work({ workflowBundle: bundle, ...options });
  const clients: { settled(): Promise<void> }[] = [];
  return {
    temporal,
    bundle,
    clientOf(machine, workflowType, isFound = false) {
      const client = actorClient(machine, temporal.client, {
        workflowType,
        taskQueue: temporal.taskQueue,
        ...(isFound ? { attributes: true } : {}),
      });
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map(async (client) => await client.settled()));
      await worker.stop();
      await temporal.close();
      await engine.stop();
    },
  };
}

export const freshId = (name: string): string => `${name}-${randomUUID()}`;

/** What a promise rejects with. */
export const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
