import {
  type ActivityOptions,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  scheduleActivity,
  scheduleLocalActivity,
  startChild,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import type { ActorSpec, ChildSpec, Invocation } from '../core/actor-spec.ts';
import type { Address } from '../core/address.ts';
import type { ActorStart } from '../core/effect.ts';
import { MESSAGES } from '../core/messages.ts';
import { toActorError } from './actor-error.ts';
import { BareScope } from './bare-scope.ts';
import type { ActorMessage } from './actor-message.ts';
import { requireJson } from './activity-input.ts';
import type { MachineStart } from './machine-start.ts';

type ActivitySpec = Extract<ActorSpec, { kind: 'activity' }>;
type Outcome = { readonly output: unknown } | { readonly error: unknown };

interface Running {
  readonly start: ActorStart;
  readonly scope: CancellationScope;
  /** Settles once a child workflow runs and takes signals. Absent where there is nothing to wait for. */
  readonly started: Promise<void> | undefined;
  readonly workflowId: string | undefined;
  /** The child knows that its parent may be another run. */
  isAttached: boolean;
}

interface RunningActorsOptions {
  readonly settled: (step: number, outcome: Outcome) => void;
  readonly encode: (value: unknown, where: string) => unknown;
  /** As {@link MachineStart.heartbeatTimeout}. */
  readonly heartbeatTimeout: number | undefined;
  /** As {@link Lineage.triesLocally}. */
  readonly triesLocally: boolean;
  /** As {@link Lineage.isIdentified}. */
  readonly isIdentified: boolean;
}

/** How many actors one after the other use the same scope. Each leaves a few bytes in it. */
const SCOPE_USES = 50;

interface FreeScope {
  readonly scope: CancellationScope;
  readonly uses: number;
}

/** The machine's durable actors as activities and child workflows. */
export class RunningActors {
  readonly #options: RunningActorsOptions;
  readonly #running = new Map<number, Running>();
  /** A scope whose actor has had its outcome. Temporal's sandbox notes a stack for each promise, and a new scope makes three. */
  #freeScope: FreeScope | undefined;

  constructor(options: RunningActorsOptions) {
    this.#options = options;
  }

  start(start: ActorStart): void {
    const { step, source, path, isAttached = false } = start;
    const { kind } = source.spec;
    const isChild = kind === 'child-machine' || kind === 'child-workflow';
    const workflowId = isChild ? `${workflowInfo().workflowId}/${path.join('/')}/${step}` : undefined;
    if (isAttached) {
      const scope = new CancellationScope();
      this.#running.set(step, { start, scope, started: undefined, workflowId, isAttached });
      return;
    }
    const { scope, uses } = this.#freeScope ?? { scope: this.#newScope(), uses: 0 };
    this.#freeScope = undefined;
    let hasStarted = (): void => undefined;
    const started = isChild ? new Promise<void>((resolve) => (hasStarted = resolve)) : undefined;
    this.#running.set(step, { start, scope, started, workflowId, isAttached });
    const settle = (outcome: Outcome): void => {
      hasStarted();
      const isFree = !scope.consideredCancelled && this.#running.get(step)?.scope === scope;
      if (isFree && uses + 1 < SCOPE_USES) this.#freeScope ??= { scope, uses: uses + 1 };
      this.settle(step, outcome);
    };
    scope.run(this.#invocation(start, workflowId ?? '', hasStarted)).then(
      (output) => settle({ output }),
      (error: unknown) => settle({ error: toActorError(error) }),
    );
  }

  /** Cancels the actor; whatever it still answers is dropped. */
  stop(step: number): void {
    const running = this.#running.get(step);
    if (running === undefined) return;
    this.#running.delete(step);
    if (running.isAttached && running.workflowId !== undefined) {
      getExternalWorkflowHandle(running.workflowId)
        .cancel()
        .catch(() => undefined);
    }
    running.scope.cancel();
  }

  stopAll(): void {
    for (const step of this.#running.keys()) this.stop(step);
  }

  /** Takes an actor's outcome and answers true. One that was stopped, or that has had its outcome, is no longer asked. */
  settle(step: number, outcome: Outcome): boolean {
    if (!this.#running.delete(step)) return false;
    this.#options.settled(step, outcome);
    return true;
  }

  get areNone(): boolean {
    return this.#running.size === 0;
  }

  /** Whether some actor answers none but the run that started it. */
  get areBound(): boolean {
    return [...this.#running.values()].some(({ start }) => start.source.spec.kind === 'child-workflow');
  }

  /** Whether there are none but children that outlive a run. */
  get areIdle(): boolean {
    return [...this.#running.values()].every(({ start }) => start.source.spec.kind === 'child-machine');
  }

  /** Tells the child machines that the next run of this workflow is their parent. */
  async attachChildren(): Promise<void> {
    const children = [...this.#running.values()].filter(
      ({ start, isAttached }) => start.source.spec.kind === 'child-machine' && !isAttached,
    );
    await Promise.all(
      children.map(async (child) => {
        const { step } = child.start;
        await child.started;
        const heard = await this.#signal(child, MESSAGES.actor, {
          type: 'parent-moves',
        } satisfies ActorMessage);
        // A child that has ended before it heard so has told this run alone.
        if (heard) child.isAttached = true;
        else await condition(() => !this.#running.has(step));
      }),
    );
  }

  /** Sends to a child once it has started. */
  async send(step: number, event: AnyEventObject): Promise<void> {
    const child = this.#running.get(step);
    if (child === undefined) return;
    await child.started;
    await this.#signal(child, MESSAGES.send, event);
  }

  /** Answers whether the child was there to take it. */
  async #signal(
    { start, workflowId, isAttached }: Running,
    name: string,
    argument: unknown,
  ): Promise<boolean> {
    if (workflowId === undefined) return false;
    try {
      await getExternalWorkflowHandle(workflowId).signal(name, argument);
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      // A child of this run that has ended gives its outcome to this run.
      if (!isAttached) return false;
      const gone = new Error(`the child workflow '${workflowId}' has ended, and its outcome is not known`);
      this.settle(start.step, { error: gone });
      return false;
    }
  }

  /** Versions before 0.2 recorded their commands in the order that the promises of Temporal's scopes make. */
  #newScope(): CancellationScope {
    return this.#options.isIdentified ? new BareScope() : new CancellationScope();
  }

  #invocation(start: ActorStart, workflowId: string, hasStarted: () => void): () => Promise<unknown> {
    const invoke = (): Promise<unknown> => this.#invoke(start, workflowId, hasStarted);
    const isChild = workflowId !== '';
    // Versions before 0.2 awaited an activity once more, and recorded their commands in the order that came of it.
    if (!this.#options.isIdentified && !isChild) return async () => await invoke();
    return () => {
      try {
        return invoke();
      } catch (error) {
        return Promise.reject(error as Error);
      }
    };
  }

  #invoke(start: ActorStart, workflowId: string, hasStarted: () => void): Promise<unknown> {
    const { spec, name } = start.source;
    const { input, step } = start;
    const invocation: Invocation = { step };
    switch (spec.kind) {
      case 'activity':
        requireJson(input, `input of '${name}'`);
        return this.#invokeActivity(spec, [input, invocation]);
      case 'local-activity':
        requireJson(input, `input of '${name}'`);
        return scheduleLocalActivity(spec.name, [input, invocation], spec.options);
      case 'child-workflow':
      case 'child-machine':
        return this.#invokeChild(start, spec, workflowId, hasStarted);
    }
  }

  #invokeActivity({ name, options, locally }: ActivitySpec, args: unknown[]): Promise<unknown> {
    const asActivity = (): Promise<unknown> => scheduleActivity(name, args, this.#timed(options));
    if (locally === undefined || !this.#options.triesLocally) return asActivity();
    return scheduleLocalActivity(name, args, locally).catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      return asActivity();
    });
  }

  #timed(options: ActivityOptions): ActivityOptions {
    const { heartbeatTimeout } = this.#options;
    if (heartbeatTimeout === undefined || options.heartbeatTimeout === undefined) return options;
    return { ...options, heartbeatTimeout };
  }

  async #invokeChild(
    start: ActorStart,
    spec: ChildSpec,
    workflowId: string,
    hasStarted: () => void,
  ): Promise<unknown> {
    const child = await startChild<Workflow>(spec.workflowType, {
      // A parent that continues as new would else take its children with it.
      ...(spec.kind === 'child-machine' ? { parentClosePolicy: ParentClosePolicy.ABANDON } : {}),
      ...spec.options,
      workflowId,
      args: [this.#childArgument(start, spec)],
    });
    hasStarted();
    return (await child.result()) as unknown;
  }

  #childArgument({ step, path, source, input }: ActorStart, { kind }: ChildSpec): unknown {
    const encoded = this.#options.encode(input, `input of '${source.name}'`);
    if (kind === 'child-workflow') return encoded;
    const address = { workflowId: workflowInfo().workflowId, path: path.slice(0, -1) };
    return {
      input: encoded,
      parent: { address, step, isWatched: source.watched },
    } satisfies MachineStart;
  }
}

/** Sends an event to an actor of another workflow. It is lost when that has ended, as with a stopped actor in XState. */
export async function signalActor({ workflowId, path }: Address, event: AnyEventObject): Promise<void> {
  const message: ActorMessage = { type: 'event', path, event };
  if (path.length === 0) await tellWorkflow(workflowId, MESSAGES.send, event);
  else await tellWorkflow(workflowId, MESSAGES.actor, message);
}

/** Signals another workflow, which may have ended. */
export async function tellWorkflow(workflowId: string, signal: string, argument: unknown): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal, argument);
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
