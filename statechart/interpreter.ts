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
import { describeMachine, type MachineDescription } from './describe.ts';
import { workflowIdOf } from './workflow-ref.ts';

interface ExecutableAction {
  readonly type: string;
  readonly info: { readonly self: unknown };
  readonly params: unknown;
  readonly exec: ((info: unknown, params: unknown) => void) | undefined;
}

/** A machine's snapshot with its payloads unread: the statechart library knows no machine's types. */
export interface OpaqueSnapshot {
  readonly value: StateValue;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly context: unknown;
  readonly output: unknown;
  readonly error: unknown;
  readonly tags: ReadonlySet<string>;
  can(event: AnyEventObject): boolean;
}

type Children = Readonly<Record<string, AnyActorRef | undefined>>;

/** A machine failed inside a transition: an action, a guard or an assignment threw, or an actor's error found no handler. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  constructor(machineId: string, cause: unknown) {
    const reason = hasMessage(cause) ? cause.message : String(cause);
    super(`machine '${machineId}' failed: ${reason}`, { cause });
  }
}

/**
 * Drives an XState machine by its pure transition functions: an event in, effects out. Holds the snapshot, performs nothing.
 *
 * Which actors to start and stop is read from the difference of the snapshots' children, so that invoked, spawned and
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

  /** Takes up a persisted snapshot (`persist()`) where it was left; asks for nothing. */
  static restore(machine: AnyStateMachine, persisted: unknown): Interpreter {
    const actor = createActor(machine, { snapshot: persisted as Snapshot<unknown> });
    return new Interpreter(machine, actor.getSnapshot() as AnyMachineSnapshot);
  }

  get snapshot(): OpaqueSnapshot {
    return this.#snapshot as OpaqueSnapshot;
  }

  /** The definition with the active nodes and the events that are legal now. */
  describe(): MachineDescription {
    return describeMachine(this.machine, this.#snapshot);
  }

  /** JSON of the state: value, context, history, children by source. Delays and running actors are the workflow's to keep. */
  persist(): unknown {
    return this.machine.getPersistedSnapshot(this.#snapshot);
  }

  /** Takes one event through a full macrostep. */
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

  /** Runs a custom action of an effect; what it throws is the machine's failure. */
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
        // Without a delay the event was already taken inside the macrostep.
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
