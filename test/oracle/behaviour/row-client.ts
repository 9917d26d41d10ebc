import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import type { Connection } from '@temporalio/client';
import type protobuf from 'protobufjs';
import { EventType } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../../engine/until.ts';
import { type Answer, normalError, normalReply } from './transcript.ts';

type Service = Connection['workflowService'];
export type Method = Exclude<keyof Service, keyof protobuf.rpc.Service>;
export type Reply<M extends Method> = Awaited<ReturnType<Service[M]>>;
export type WorkflowTask = Reply<'pollWorkflowTaskQueue'>;
export type ActivityTask = Reply<'pollActivityTaskQueue'>;
type OperatorMethod = Exclude<keyof Connection['operatorService'], keyof protobuf.rpc.Service>;

/** A request in the JSON form of protobuf: enumerations by name, durations as seconds and nanos. */
export type Request = Record<string, unknown>;

/** Some calls whose answers are the behaviour that a row is about. */
export interface Row {
  readonly name: string;
  /** Whether nothing else may be asked of the server meanwhile. */
  readonly alone?: boolean;
  readonly run: (server: RowClient) => Promise<unknown>;
}

const POLL_MS = 5000;

/** Where one row is run: what it calls is written down, and its ids are its own. */
export class RowClient {
  readonly answers: Answer[] = [];
  readonly namespace = 'default';
  readonly #connection: Connection;
  readonly #own = randomUUID().slice(0, 8);

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A name that no other row has. */
  id(name: string): string {
    return `${name}-${this.#own}`;
  }

  get queue(): string {
    return this.id('queue');
  }

  /** Calls, and writes down what is answered; undefined when that is an error. */
  async call<M extends Method>(method: M, request: Request, label?: string): Promise<Reply<M> | undefined> {
    return await this.#written(label ?? method, () => this.do(method, request));
  }

  async operate(method: OperatorMethod, request: Request, label?: string): Promise<unknown> {
    return await this.#written(label ?? method, () =>
      this.#send(this.#connection.operatorService, 'operatorservice', method, request),
    );
  }

  /** Calls as a part of the preparation, which must succeed and is not written down. */
  async do<M extends Method>(method: M, request: Request): Promise<Reply<M>> {
    const reply = await this.#send(this.#connection.workflowService, 'workflowservice', method, request);
    return reply as Reply<M>;
  }

  /** Writes a part of an answer down. */
  note(call: string, message: object): void {
    this.answers.push({ call, reply: normalReply(message, this.#fixed) });
  }

  async #written<T extends object>(call: string, send: () => Promise<T>): Promise<T | undefined> {
    const at = this.answers.push({ call }) - 1;
    try {
      const reply = await send();
      this.answers[at] = { call, reply: normalReply(reply, this.#fixed) };
      return reply;
    } catch (error) {
      const refusal = normalError(error, this.#fixed);
      this.answers[at] = refusal === undefined ? { call } : { call, error: refusal };
      return undefined;
    }
  }

  readonly #fixed = (text: string): string => text.replaceAll(`-${this.#own}`, '');

  async #send(service: object, folder: string, method: string, request: Request): Promise<object> {
    const name = `${method[0]?.toUpperCase()}${method.slice(1)}Request`;
    const type = (proto as unknown as protobuf.Root).lookupType(`temporal.api.${folder}.v1.${name}`);
    const full = type.fields['namespace'] === undefined ? request : { namespace: this.namespace, ...request };
    const message = (type.ctor as unknown as { fromObject(o: object): object }).fromObject(full);
    const send = (): Promise<object> =>
      (service as Record<string, (message: object) => Promise<object>>)[method]?.(message) ??
      Promise.reject(new Error(`no method ${method}`));
    const isLong = /^poll|History$|^update|^query|^executeMulti/.test(method);
    return await this.#connection.withDeadline(Date.now() + (isLong ? POLL_MS : 20_000), send);
  }

  /** Starts a run on the row's own queue. */
  async start(more: Request = {}): Promise<{ workflowId: string; runId: string }> {
    const given = more['workflowId'];
    const workflowId = typeof given === 'string' ? given : this.id('w');
    const { runId } = await this.do('startWorkflowExecution', { ...this.startRequest(), ...more });
    return { workflowId, runId };
  }

  startRequest(): Request {
    return {
      workflowId: this.id('w'),
      workflowType: { name: 'type' },
      taskQueue: { name: this.queue },
      identity: 'client',
      requestId: randomUUID(),
    };
  }

  /** The next workflow task of the row's own queue. */
  async task(queue = this.queue): Promise<WorkflowTask> {
    const task = await this.do('pollWorkflowTaskQueue', { taskQueue: { name: queue }, identity: 'worker' });
    if (task.taskToken.length === 0) throw new Error(`there is no workflow task on ${queue}`);
    return task;
  }

  async activityTask(queue = this.queue): Promise<ActivityTask> {
    const task = await this.do('pollActivityTaskQueue', { taskQueue: { name: queue }, identity: 'worker' });
    if (task.taskToken.length === 0) throw new Error(`there is no activity task on ${queue}`);
    return task;
  }

  /** Answers a workflow task as a part of the preparation. */
  async complete(task: WorkflowTask, commands: readonly Request[] = [], more: Request = {}): Promise<void> {
    const { taskToken } = task;
    await this.do('respondWorkflowTaskCompleted', { taskToken, identity: 'worker', commands, ...more });
  }

  /** Starts a run and answers its first task with commands; what is answered is written down, and the history after it. */
  async commands(
    commands: readonly Request[],
    more: Request = {},
  ): Promise<{ workflowId: string; runId: string }> {
    const run = await this.start(more);
    const { taskToken } = await this.task();
    await this.call('respondWorkflowTaskCompleted', { taskToken, identity: 'worker', commands });
    await this.history(run.workflowId, run.runId);
    return run;
  }

  /** Writes a run's history down. */
  async history(workflowId: string, runId = ''): Promise<void> {
    await this.call('getWorkflowExecutionHistory', { execution: { workflowId, runId } }, 'history');
  }

  /** Waits until a run's history is as it should be. */
  async until(workflowId: string, isReached: (types: readonly string[]) => boolean): Promise<void> {
    await until(async () => {
      const { history } = await this.do('getWorkflowExecutionHistory', { execution: { workflowId } });
      return isReached((history?.events ?? []).map(({ eventType }) => EventType[eventType ?? 0] ?? ''));
    });
  }

  /** Waits until the server has an update, which nobody needs to have answered. */
  async admitted(workflowId: string, updateId: string): Promise<void> {
    const updateRef = { workflowExecution: { workflowId }, updateId };
    await until(() =>
      this.do('pollWorkflowExecutionUpdate', { updateRef, waitPolicy: {} }).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Waits until a query of the listing finds so many runs. */
  async listed(query: string, count: number): Promise<void> {
    await until(async () => Number((await this.do('countWorkflowExecutions', { query })).count) === count);
  }

  /** Waits until a server starts runs in a namespace and with a list attribute that are new to it. */
  async known(namespace: string, attribute: string): Promise<void> {
    const taken = (more: Request): Promise<boolean> =>
      this.do('startWorkflowExecution', {
        ...this.startRequest(),
        workflowId: this.id('known'),
        ...more,
      }).then(
        () => true,
        () => false,
      );
    const list = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('["x"]') };
    await until(() => taken({ namespace }));
    await until(() => taken({ searchAttributes: { indexedFields: { [attribute]: list } } }));
  }
}
