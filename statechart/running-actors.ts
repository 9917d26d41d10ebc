import {
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  scheduleActivity,
  scheduleLocalActivity,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
  type Workflow,
} from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import type { ActorSpec, Invocation } from './actor-spec.ts';
import { toActorFailure } from './actor-failure.ts';
import type { ActorStart } from './effect.ts';

/** A started actor, or one that a new run has to start again under the same number. */
export interface CarriedActor extends ActorStart {
  /** Absent while it has never been started. */
  readonly step?: number;
}

interface Running extends ActorStart {
  readonly step: number;
  readonly kind: ActorSpec['kind'];
  readonly scope: CancellationScope;
  /** The handle of a child workflow, once it has started. */
  child?: Promise<ChildWorkflowHandle<Workflow>>;
}

/**
 * The machine's actors as activities and child workflows. Each start gets a number of its own. A result counts only while its
 * invocation is the running one, so a late result of a stopped actor is dropped.
 */
export class RunningActors {
  readonly #specs: Readonly<Record<string, ActorSpec>>;
  readonly #deliver: (event: AnyEventObject) => void;
  readonly #running = new Map<string, Running>();
  #steps: number;

  constructor(
    specs: Readonly<Record<string, ActorSpec>>,
    steps: number,
    deliver: (event: AnyEventObject) => void,
  ) {
    this.#specs = specs;
    this.#steps = steps;
    this.#deliver = deliver;
  }

  /** The number of invocations so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The running invocations, in the order they were started. */
  list(): (ActorStart & { readonly step: number; readonly kind: ActorSpec['kind'] })[] {
    return [...this.#running.values()].map(({ id, src, input, step, kind }) => ({
      id,
      src,
      input,
      step,
      kind,
    }));
  }

  start(actor: CarriedActor): void {
    const spec = this.#specs[actor.src];
    if (!spec)
      throw new Error(`actor '${actor.id}' has the source '${actor.src}', which no actor spec names`);
    const step = actor.step ?? ++this.#steps;
    const scope = new CancellationScope();
    const running: Running = {
      id: actor.id,
      src: actor.src,
      input: actor.input,
      step,
      kind: spec.kind,
      scope,
    };
    this.#running.set(actor.id, running);
    scope
      .run(() => invoke(spec, running))
      .then(
        (output) =>
          this.#settle(running, { type: `xstate.done.actor.${actor.id}`, output, actorId: actor.id }),
        (error: unknown) => {
          const failure = toActorFailure(error);
          this.#settle(running, {
            type: `xstate.error.actor.${actor.id}`,
            error: failure,
            actorId: actor.id,
          });
        },
      );
  }

  /** Cancels the actor's activity or child workflow; a result that still comes is dropped. */
  stop(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    running.scope.cancel();
  }

  stopAll(): void {
    for (const id of this.#running.keys()) this.stop(id);
  }

  /** Sends to a child workflow once it has started; other actors take no events, like promise actors in XState. */
  async send(id: string, event: AnyEventObject): Promise<void> {
    const running = this.#running.get(id);
    const child = await running?.child;
    await child?.signal('send', event);
  }

  #settle(running: Running, event: AnyEventObject): void {
    if (this.#running.get(running.id) !== running) return;
    this.#running.delete(running.id);
    this.#deliver(event);
  }
}

/** Signals `send` to another workflow. The event is lost when that workflow has ended, as with a stopped actor in XState. */
export async function signal(workflowId: string, event: AnyEventObject): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal('send', event);
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}

async function invoke(spec: ActorSpec, running: Running): Promise<unknown> {
  const invocation: Invocation = { step: running.step };
  switch (spec.kind) {
    case 'activity':
      return await scheduleActivity(spec.name, [running.input, invocation], spec.options);
    case 'local-activity':
      return await scheduleLocalActivity(spec.name, [running.input, invocation], spec.options);
    case 'child-workflow':
      running.child = startChild<Workflow>(spec.workflowType, {
        ...spec.options,
        workflowId: childId(running),
        args: [running.input],
      });
      return (await (await running.child).result()) as unknown;
  }
}

const childId = (running: Running): string => `${workflowInfo().workflowId}/${running.id}/${running.step}`;
