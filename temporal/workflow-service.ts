import type { Connection } from '@temporalio/client';
import { Batches } from './acting/batches.ts';
import { interfaceOf, stackTraceOf } from './acting/ask-worker.ts';
import { Capabilities } from './acting/capabilities.ts';
import { Messages } from './acting/messages.ts';
import { Explanations } from './explaining/explanations.ts';
import { type LoadMachines, Machines } from './explaining/machines.ts';
import { Descriptions } from './finding/describe.ts';
import { Lists } from './finding/lists.ts';
import { namespaceOf } from './finding/namespace.ts';
import { taskQueueOf } from './finding/task-queues.ts';
import { Histories } from './histories/histories.ts';
import { PayloadReader } from './payloads/decode-payloads.ts';
import { RemoteCodec } from './payloads/remote-codec.ts';
import type { RunName, WorkflowService } from './shapes/service.ts';
import type { WorkflowNamespace } from './shapes/namespace.ts';
import { TemporalCalls } from './wire/service.ts';

export interface WorkflowServiceOptions {
  readonly connection: Connection;
  readonly namespace: string;
  readonly engine: WorkflowNamespace['engine'];
  /** Where payloads are decoded that a client has encoded. */
  readonly codec?: { readonly endpoint: string; readonly authorization?: string | undefined } | undefined;
  /** Takes this server's secrets out of texts. */
  readonly scrub: (text: string) => string;
  /** The state machines whose workflows are explained. */
  readonly machines: LoadMachines;
}

/** Everything about the workflows of a namespace, asked of its Temporal service when it is asked for. */
export function createWorkflowService(options: WorkflowServiceOptions): WorkflowService {
  const { connection, namespace, engine, scrub } = options;
  const calls = new TemporalCalls(connection, namespace);
  const codec = options.codec === undefined ? undefined : new RemoteCodec({ ...options.codec, namespace });
  const reader = new PayloadReader({ codec, scrub });
  const capabilities = new Capabilities(calls);
  const machines = new Machines(options.machines);
  const lists = new Lists(calls, reader);
  const isKnown = async (type: string): Promise<boolean> => (await machines.of(type)) !== undefined;
  const descriptions = new Descriptions(calls, reader, capabilities, isKnown);
  const histories = new Histories(calls, reader);
  const messages = new Messages(calls, reader);
  const batches = new Batches(calls, messages, capabilities);
  const explanations = new Explanations(calls, reader, messages, machines);
  const resolve = (name: RunName): ReturnType<Descriptions['resolve']> => descriptions.resolve(name);
  return {
    namespace: async () => ({
      type: 'workflow_namespace',
      ...(await namespaceOf(calls, capabilities)),
      engine,
      codec: codec !== undefined,
      machines: await machines.types(),
    }),
    list: (query, page) => lists.list(query, page),
    count: (query) => lists.count(query),
    describe: (name) => descriptions.describe(name),
    resolve: async (name) => (await resolve(name)).runId,
    runs: async (workflowId, page) => {
      // The list of one that does not exist would be empty. A closed run may have left the list before the description.
      await resolve({ workflowId, runId: null });
      return await lists.runs(workflowId, page);
    },
    history: (name, request, signal) => histories.page(() => resolve(name), name.workflowId, request, signal),
    follow: (run, from, signal) => histories.follow(run, from, signal),
    historyFile: (run, signal) => histories.file(run, signal),
    payload: async (name, { eventId, path }) =>
      eventId === null
        ? await descriptions.payload(name, path)
        : await histories.payload(await resolve(name), eventId, path),
    explain: async (name, request) => explanations.explain(await resolve(name), request),
    compare: async (left, right, ignore) =>
      explanations.compare(await resolve(left), await resolve(right), ignore),
    stackTrace: (name) => stackTraceOf(messages, name),
    interface: (name) => interfaceOf(messages, name),
    query: (workflowId, body) => messages.query(workflowId, body),
    signal: (workflowId, body, actor) => messages.signal(workflowId, body, actor),
    update: (workflowId, body, actor) => messages.update(workflowId, body, actor),
    cancel: (workflowId, body, actor) => messages.cancel(workflowId, body, actor),
    terminate: (workflowId, body, actor) => messages.terminate(workflowId, body, actor),
    reset: async (workflowId, body, actor) => {
      const { runId } = await resolve({ workflowId, runId: body.run_id });
      return await messages.reset(workflowId, runId, body, actor);
    },
    startBatch: (body, actor) => batches.start(body, actor),
    batch: (id) => batches.retrieve(id),
    taskQueue: (name) => taskQueueOf(calls, name),
  };
}
