import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { approval } from './workflows.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import type { OpenApiDocument } from '../../../server/routing/document.ts';
import { createWorkflowService, type WorkflowServiceOptions } from '../../../temporal/index.ts';
import { type Described, described } from '../../support/described.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { ask, type Answer, type Running, startServer, stopServers } from '../harness.ts';
import { pacing } from '../../support/pacing.ts';

/** Whether the engine under test is a Temporal server of Temporal's own. */
export const IS_REAL = (process.env['STEADYHAND_TEST_ENGINE'] ?? 'embedded') !== 'embedded';

/** An engine with a worker, and a server whose answers are held against its own description. */
export class WorkflowBench {
  readonly engine: TestEngine;
  readonly temporal: TestTemporal;
  readonly #worker: { stop(): Promise<void> };
  #running: Running | undefined;
  #api: Described | undefined;
  #headers: Readonly<Record<string, string>> = {};

  /** @param workflowsPath The module of the worker's workflows. */
  static async start(workflowsPath = path.resolve(__dirname, 'workflows.ts')): Promise<WorkflowBench> {
    const engine = await startTestEngine({ searchAttributes: { Customer: 'Keyword' } });
    const temporal = await connectTemporal(engine.connection);
    const worker = await temporal.work({
      workflowBundle: await bundleWorkflows(workflowsPath),
      identity: 'the-worker',
      // The stack traces that it tells are empty where tests and workflows share a thread.
      debugMode: false,
      activities: {
        remind: async () => await Promise.resolve(null),
        fetch: async (what: string) => await Promise.resolve(`got ${what}`),
        fail: async () => await Promise.reject(new Error('no luck with sk-test-0123456789')),
      },
    });
    return new WorkflowBench(engine, temporal, worker);
  }

  constructor(engine: TestEngine, temporal: TestTemporal, worker: { stop(): Promise<void> }) {
    this.engine = engine;
    this.temporal = temporal;
    this.#worker = worker;
  }

  /** A server on this engine; the one before it is stopped. */
  async serve(
    options: Partial<WorkflowServiceOptions> = {},
    deps: Partial<ServerDeps> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await stopServers();
    const workflows = createWorkflowService({
      connection: this.temporal.client.connection as WorkflowServiceOptions['connection'],
      namespace: 'default',
      engine: IS_REAL ? 'dev-server' : 'embedded',
      scrub: (text) => text.replaceAll('sk-test-0123456789', '[hidden]'),
      machines: async () => await Promise.resolve({ approval }),
      ...options,
    });
    this.#headers = headers;
    this.#running = await startServer({ workflows, ...deps });
    const document = (await ask(`${this.url}/v1/openapi.json`)).body as unknown as OpenApiDocument;
    this.#api = described(document);
  }

  get url(): string {
    return this.#server.url;
  }

  /** Where the server's sessions are. */
  get store(): Running['store'] {
    return this.#server.store;
  }

  get #server(): Running {
    if (this.#running === undefined) throw new Error('no server was started');
    return this.#running;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  async stopWorker(): Promise<void> {
    await this.#worker.stop();
  }

  async stop(): Promise<void> {
    await stopServers();
    await this.temporal.close();
    await this.engine.stop();
  }

  async begin(
    type: string,
    args: readonly unknown[] = [],
    more: object = {},
  ): Promise<WorkflowHandleWithFirstExecutionRunId> {
    return await this.temporal.client.workflow.start(type, {
      taskQueue: this.temporal.taskQueue,
      workflowId: `${type}/${randomUUID()}`,
      args: [...args],
      ...more,
    });
  }

  /**
   * Asks a route, and fails where the answer is not as its description says.
   * @param route e.g. `GET /v1/workflows/{workflow_id}`
   * @param place of the request, e.g. `/v1/workflows/order%2F7?run_id=…`
   */
  async call<T = Readonly<Record<string, unknown>>>(
    route: string,
    place: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = this.#headers,
  ): Promise<Answer & { readonly body: T }> {
    const [method = ''] = route.split(' ');
    const answer = await ask(`${this.url}${place}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const media = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const faults = this.#api?.answerFaults(route, answer.status, media, answer.body) ?? [];
    if (faults.length > 0) throw new Error(`${method} ${place}: ${faults.join('\n')}`);
    return answer as Answer & { readonly body: T };
  }

  /** Asks a route of one workflow. */
  async of<T = Readonly<Record<string, unknown>>>(
    workflowId: string,
    route: string,
    query: Readonly<Record<string, string>> = {},
    body?: unknown,
  ): Promise<Answer & { readonly body: T }> {
    const [method = '', rest = ''] = route.split(' ');
    const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
    return await this.call<T>(
      `${method} /v1/workflows/{workflow_id}${rest}`,
      `/v1/workflows/${encodeURIComponent(workflowId)}${rest}${search}`,
      body,
    );
  }
}

/** Waits until what is asked for is so. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 45_000;
  const pause = pacing();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await pause();
  }
}
