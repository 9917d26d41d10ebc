import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { createBatchActivities } from '../../activities/index.ts';
import { BatchRuntime } from '../../app/batch-runtime.ts';
import { createDefaultProviders, type AnthropicProviderOptions } from '../../messages/index.ts';
import { createLogger } from '../../server/log.ts';
import { createFiles } from '../../sessions/index.ts';
import { createIds } from '../../store/index.ts';
import { type Running, startServer } from '../server/harness.ts';
import { startTestEngine } from '../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';
import { pacing } from '../support/pacing.ts';

type Sdk = Anthropic;
export type MessageBatch = Anthropic.Messages.MessageBatch;
export type BatchResult = Anthropic.Messages.MessageBatchIndividualResponse;

/** All parts that batches need, in the test's process: server, store, engine, workers. */
export interface BatchServer extends Running {
  readonly client: Sdk;
  readonly temporal: TestTemporal;
  readonly runtime: BatchRuntime;
  /** Starts the workers; there are none before. */
  readonly work: () => Promise<void>;
  /** Waits until a batch has ended. */
  readonly ended: (id: string) => Promise<MessageBatch>;
  readonly results: (id: string) => Promise<BatchResult[]>;
  readonly close: () => Promise<void>;
}

export const QUEUES = { sessions: 'steadyhand-test', batches: 'steadyhand-test-batches' } as const;

export interface BatchServerOptions {
  readonly concurrency?: number;
  readonly anthropic?: AnthropicProviderOptions;
}

export async function startBatchServer({
  concurrency = 4,
  anthropic,
}: BatchServerOptions = {}): Promise<BatchServer> {
  const engine = await startTestEngine();
  const temporal = await connectTemporal(engine.connection);
  const workflowBundle = await bundleWorkflows(path.resolve(__dirname, '../../workflows/index.ts'));
  const providers = createDefaultProviders(anthropic === undefined ? {} : { anthropic });
  let deliver: (id: string) => Promise<void> = async () => {};
  const running = await startServer({ providers, batchRuntime: { deliver: (id) => deliver(id) } });
  const { store } = running;
  const log = createLogger('warn');
  const runtime = new BatchRuntime({
    client: temporal.client,
    store,
    log,
    taskQueues: QUEUES,
    concurrency,
    workflowTaskTimeoutMs: 4000,
  });
  deliver = (id) => runtime.deliver(id);
  const client = new Anthropic({ baseURL: running.url, apiKey: 'not-asked-for', maxRetries: 0 });
  const workers: { stop: () => Promise<void> }[] = [];

  return {
    ...running,
    client,
    temporal,
    runtime,
    async work() {
      const files = createFiles({ store, newId: createIds() });
      const activities = { ...createBatchActivities({ store, providers, files }) };
      workers.push(
        await temporal.work({ taskQueue: QUEUES.sessions, workflowBundle, activities }),
        await temporal.work({
          taskQueue: QUEUES.batches,
          activities,
          maxConcurrentActivityTaskExecutions: concurrency,
        }),
      );
    },
    async ended(id) {
      const pause = pacing();
      for (;;) {
        const batch = await client.messages.batches.retrieve(id);
        if (batch.processing_status === 'ended') return batch;
        await pause();
      }
    },
    async results(id) {
      const all: BatchResult[] = [];
      for await (const result of await client.messages.batches.results(id)) all.push(result);
      return all;
    },
    async close() {
      await runtime.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await temporal.close();
      await engine.stop();
    },
  };
}

/** A request for the model. */
export function request(
  custom_id: string,
  model: string,
  content: string,
): Anthropic.Messages.BatchCreateParams.Request {
  return { custom_id, params: { model, max_tokens: 64, messages: [{ role: 'user', content }] } };
}

/** The first text of the answer to a request, or how the request ended without one. */
export function said({ custom_id, result }: BatchResult): [string, string] {
  switch (result.type) {
    case 'succeeded': {
      const [block] = result.message.content;
      return [custom_id, block?.type === 'text' ? block.text : ''];
    }
    case 'errored':
      return [custom_id, `${result.error.error.type}: ${result.error.error.message}`];
    default:
      return [custom_id, result.type];
  }
}
