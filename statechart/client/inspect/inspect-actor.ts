import type { AnyEventObject } from 'xstate';
import { explainHistory, type ExplainOptions } from '../history/explain-history.ts';
import type { Explanation, Macrostep } from '../history/explanation.ts';
import { requireDefinition, type MachineSource } from '../history/machine-source.ts';
import { causeEvent } from './cause-event.ts';

/** The version of `@statelyai/inspect` whose events these are. */
const PROTOCOL = '0.7.2';

interface Base {
  readonly rootId: string | undefined;
  readonly sessionId: string;
  /** Milliseconds since 1970, as text. */
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
}

/** An event of Stately's inspection protocol, as `@statelyai/inspect` sends them. */
export type StatelyInspectionEvent =
  | (Base & {
      readonly type: '@xstate.actor';
      readonly name: string;
      readonly snapshot: unknown;
      /** The machine's configuration as JSON. */
      readonly definition: string | undefined;
      readonly parentId: string | undefined;
    })
  | (Base & {
      readonly type: '@xstate.event';
      readonly event: AnyEventObject;
      readonly sourceId: string | undefined;
    })
  | (Base & {
      readonly type: '@xstate.snapshot';
      readonly event: AnyEventObject;
      readonly snapshot: unknown;
    });

/**
 * What takes inspection events: an adapter, an inspector of `@statelyai/inspect` (by its adapter), or an observer as
 * `createActor({ inspect })` takes one.
 */
export type Inspector =
  | { send(event: StatelyInspectionEvent): void }
  | { readonly adapter: { send(event: StatelyInspectionEvent): void } }
  | { next?(event: never): void }
  | ((event: never) => void);

/** What is asked of the handle of a workflow. */
export interface InspectedHandle {
  readonly workflowId: string;
  fetchHistory(): Promise<unknown>;
  describe(): Promise<{ readonly historyLength: number; readonly runId: string }>;
}

export interface InspectedActor {
  /** Settles when the workflow has ended, or after `stop`. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * Sends what a recorded history tells to an inspector.
 *
 * @example
 * await inspectHistory(JSON.parse(await readFile('order.json', 'utf8')), order, createWebSocketInspector());
 */
export async function inspectHistory(
  history: unknown,
  source: MachineSource,
  inspector: Inspector,
  options: ExplainOptions = {},
): Promise<void> {
  new Feed(source, inspector).tell(await explainHistory(history, source, options));
}

/**
 * Sends to an inspector what an actor has done, and from then on what it does: its history is read again whenever it has grown.
 *
 * @param options.interval Milliseconds between two looks. Default 1,000.
 */
export function inspectActor(
  handle: InspectedHandle,
  source: MachineSource,
  inspector: Inspector,
  options: ExplainOptions & { readonly interval?: number } = {},
): InspectedActor {
  const { interval = 1000, ...rest } = options;
  const feed = new Feed(source, inspector);
  let isStopped = false;
  let wake = (): void => undefined;
  const follow = async (): Promise<void> => {
    for (let seen = ''; !isStopped;) {
      const { runId, historyLength } = await handle.describe();
      if (seen !== `${runId} ${historyLength}`) {
        seen = `${runId} ${historyLength}`;
        const history = await handle.fetchHistory();
        const explanation = await explainHistory(history, source, {
          workflowId: handle.workflowId,
          ...rest,
        });
        feed.tell(explanation);
        const isOpen = ['running', 'held', 'continued as new'].includes(explanation.status);
        if (!isOpen || explanation.divergence !== undefined) return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, interval);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  return {
    ended: follow(),
    stop: () => {
      isStopped = true;
      wake();
    },
  };
}

/** Tells an inspector of each macrostep once. */
class Feed {
  readonly #source: MachineSource;
  readonly #inspector: Inspector;
  #runId: string | undefined;
  #told = 0;
  #ids = 0;

  constructor(source: MachineSource, inspector: Inspector) {
    this.#source = source;
    this.#inspector = inspector;
  }

  tell({ steps, workflowId, runId }: Explanation): void {
    if (this.#runId !== runId) {
      const isFirst = this.#runId === undefined;
      this.#runId = runId;
      this.#told = 0;
      const [first] = steps;
      if (isFirst && first !== undefined) this.#actor(workflowId, first);
    }
    for (const step of steps.slice(this.#told)) this.#step(workflowId, step);
    this.#told = steps.length;
  }

  #actor(workflowId: string, { snapshot, at }: Macrostep): void {
    const { machine } = requireDefinition(this.#source);
    this.#send({
      ...this.#base(workflowId, workflowId, at),
      type: '@xstate.actor',
      name: machine.id,
      snapshot,
      definition: JSON.stringify(machine.config),
      parentId: undefined,
    });
  }

  #step(workflowId: string, step: Macrostep): void {
    const { at, snapshot, started, cause } = step;
    const event = causeEvent(cause);
    const sourceId = 'actor' in cause ? `${workflowId}/${cause.actor.id}/${cause.actor.step}` : undefined;
    if (event !== undefined) {
      this.#send({ ...this.#base(workflowId, workflowId, at), type: '@xstate.event', event, sourceId });
    }
    for (const effect of started) {
      if (effect.type === 'delay') continue;
      const { id, src, step: number, input } = effect;
      this.#send({
        ...this.#base(workflowId, `${workflowId}/${id}/${number}`, at),
        type: '@xstate.actor',
        name: id,
        snapshot: { status: 'active', input },
        definition: JSON.stringify({ id: src }),
        parentId: workflowId,
      });
    }
    this.#send({
      ...this.#base(workflowId, workflowId, at),
      type: '@xstate.snapshot',
      event: event ?? { type: cause.type },
      snapshot,
    });
  }

  #base(rootId: string, sessionId: string, at: number): Base {
    this.#ids += 1;
    return { rootId, sessionId, createdAt: String(at), id: String(this.#ids), _version: PROTOCOL };
  }

  #send(event: StatelyInspectionEvent): void {
    const inspector = this.#inspector;
    if (typeof inspector === 'function') inspector(this.#asXState(event) as never);
    else if ('adapter' in inspector) inspector.adapter.send(event);
    else if ('send' in inspector) inspector.send(event);
    else inspector.next?.(this.#asXState(event) as never);
  }

  /** The event as XState itself would give it to an observer, with what stands for the actor. */
  #asXState(event: StatelyInspectionEvent): object {
    const { sessionId, rootId, type } = event;
    const isRoot = sessionId === rootId;
    const snapshot = 'snapshot' in event ? event.snapshot : undefined;
    const actorRef = {
      id: sessionId.split('/').at(isRoot ? 0 : -2),
      sessionId,
      logic: isRoot ? requireDefinition(this.#source).machine : undefined,
      ...(isRoot ? {} : { _parent: { id: rootId, sessionId: rootId } }),
      getSnapshot: () => snapshot,
    };
    const base = { type, rootId, actorRef };
    if (type === '@xstate.actor') return base;
    const sourceId = 'sourceId' in event ? event.sourceId : undefined;
    return {
      ...base,
      event: event.event,
      ...(type === '@xstate.snapshot'
        ? { snapshot }
        : { sourceRef: sourceId === undefined ? undefined : { id: sourceId, sessionId: sourceId } }),
    };
  }
}
