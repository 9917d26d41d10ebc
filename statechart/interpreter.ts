import {
  createActor,
  initialTransition,
  transition,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type Snapshot,
  type StateValue,
} from 'xstate';
import { SELF, type Delay, type Effect, type SendTarget } from './effect.ts';
import { describeMachine, type MachineDescription } from './machine-description.ts';
import { workflowIdOf } from './workflow-ref.ts';

interface ExecutableAction {
  readonly type: string;
  readonly info: { readonly self: unknown };
  readonly params: unknown;
  readonly exec: ((info: unknown, params: unknown) => void) | undefined;
}

/** A machine's snapshot with payloads of unknown type, because this package knows no machine's types. */
interface OpaqueSnapshot {
  readonly value: StateValue;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly context: unknown;
  readonly output: unknown;
  readonly error: unknown;
  readonly tags: ReadonlySet<string>;
  can(event: AnyEventObject): boolean;
}

type Children = Readonly<Record<string, AnyActorRef | undefined>>;

/** A machine failed inside a transition: an action, a guard or an assignment threw, or an actor's error had no handler. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  constructor(machineId: string, cause: unknown) {
    const reason = hasMessage(cause) ? cause.message : String(cause);
    super(`machine '${machineId}' failed: ${reason}`, { cause });
  }
}

/**
 * Drives an XState machine by its pure transition functions: it takes an event and answers with effects. It holds the snapshot
 * and performs nothing.
 *
 * The difference between the snapshots' children tells which actors to start and stop, so that invoked, spawned and
 * `assign`-spawned actors are treated alike.
 */
export class Interpreter {
  readonly machine: AnyStateMachine;
  #snapshot: AnyMachineSnapshot;

  private constructor(machine: AnyStateMachine, snapshot: AnyMachineSnapshot) {
    this.machine = machine;
    this.#snapshot = snapshot;
  }

  /** Enters the initial state. */
  static start(machine: AnyStateMachine, input: unknown): [Interpreter, Effect[]] {
    const [snapshot, actions] = initialTransition(machine, input as never) as [
      AnyMachineSnapshot,
      ExecutableAction[],
    ];
    const interpreter = new Interpreter(machine, snapshot);
    return [interpreter, interpreter.#effects({}, actions)];
  }

  /**
   * Restores a snapshot of `persist()`; there are no effects. It throws a MachineError when the machine has no such state: the
   * workflow task then fails, and is repeated until a worker knows the state.
   */
  static restore(machine: AnyStateMachine, persisted: unknown): Interpreter {
    const actor = createActor(machine, { snapshot: persisted as Snapshot<unknown> });
    const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
    if (snapshot.status === 'error') throw new MachineError(machine.id, snapshot.error);
    return new Interpreter(machine, snapshot);
  }

  get snapshot(): OpaqueSnapshot {
    return this.#snapshot as OpaqueSnapshot;
  }

  /** The definition with the active nodes and the events that are legal now. */
  describe(): MachineDescription {
    return describeMachine(this.machine, this.#snapshot);
  }

  /** The state as JSON: value, context, history, children by source. The workflow keeps delays and running actors itself. */
  persist(): unknown {
    return this.machine.getPersistedSnapshot(this.#snapshot);
  }

  /** Runs a full macrostep for one event. */
  step(event: AnyEventObject): Effect[] {
    if (this.#snapshot.status !== 'active') return [];
    const before = this.#snapshot.children as Children;
    let actions: ExecutableAction[];
    try {
      const [next, executable] = transition(this.machine, this.#snapshot, event) as [
        AnyMachineSnapshot,
        ExecutableAction[],
      ];
      this.#snapshot = next;
      actions = executable;
    } catch (cause) {
      throw new MachineError(this.machine.id, cause);
    }
    return this.#effects(before, actions);
  }

  /** Runs a custom action of an effect; an error that it throws is the machine's failure. */
  perform(run: () => void): void {
    try {
      run();
    } catch (cause) {
      throw new MachineError(this.machine.id, cause);
    }
  }

  #effects(before: Children, actions: readonly ExecutableAction[]): Effect[] {
    if (this.#snapshot.status === 'error') throw new MachineError(this.machine.id, this.#snapshot.error);
    const effects: Effect[] = [];
    const after = this.#snapshot.status === 'active' ? (this.#snapshot.children as Children) : {};
    for (const [id, ref] of Object.entries(before)) {
      if (ref !== undefined && after[id] !== ref) effects.push({ type: 'stop', id });
    }
    for (const [id, ref] of Object.entries(after)) {
      if (ref !== undefined && before[id] !== ref) effects.push({ type: 'start', actor: startOf(id, ref) });
    }
    for (const action of actions) {
      const effect = this.#effectOf(action);
      if (effect) effects.push(effect);
    }
    return effects;
  }

  #effectOf(action: ExecutableAction): Effect | undefined {
    const params = (action.params ?? {}) as {
      id?: string;
      sendId?: string;
      delay?: number;
      event?: AnyEventObject;
      to?: unknown;
    };
    switch (action.type) {
      case 'xstate.raise':
        // Without a delay the macrostep has handled the event already.
        return typeof params.delay === 'number' ? { type: 'delay', delay: delayOf(params, SELF) } : undefined;
      case 'xstate.cancel':
        return { type: 'cancel', id: String(params.sendId) };
      case 'xstate.sendTo': {
        const to = targetOf(params.to, action.info.self);
        if (typeof params.delay === 'number') return { type: 'delay', delay: delayOf(params, to) };
        return { type: 'send', to, event: params.event as AnyEventObject };
      }
      case 'xstate.spawnChild':
      case 'xstate.stopChild':
      case 'xstate.emit':
        return undefined;
      default: {
        const { exec, info } = action;
        return exec ? { type: 'run', name: action.type, run: () => exec(info, action.params) } : undefined;
      }
    }
  }
}

function delayOf(params: { id?: string; delay?: number; event?: AnyEventObject }, to: SendTarget): Delay {
  return { id: params.id, ms: Math.max(0, params.delay ?? 0), event: params.event as AnyEventObject, to };
}

const hasMessage = (cause: unknown): cause is { message: string } =>
  typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string';

function startOf(id: string, ref: AnyActorRef): { id: string; src: string; input: unknown } {
  if (typeof ref.src !== 'string') {
    throw new MachineError('', new Error(`actor '${id}' has an inline source; name it in setup({ actors })`));
  }
  const { options } = ref as unknown as { options?: { input?: unknown } };
  return { id, src: ref.src, input: options?.input };
}

function targetOf(to: unknown, self: unknown): SendTarget {
  if (to === self) return SELF;
  const workflowId = workflowIdOf(to);
  if (workflowId !== undefined) return { kind: 'workflow', workflowId };
  return { kind: 'actor', id: typeof to === 'string' ? to : (to as AnyActorRef).id };
}
