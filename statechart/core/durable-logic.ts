import {
  initialTransition,
  type ActorLogic,
  type ActorSystem,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type Snapshot,
} from 'xstate';
import type { ActorSpec } from './actor-spec.ts';

/** The snapshot of an actor that runs outside of the machine's process. */
export type DurableSnapshot = Snapshot<unknown> & {
  readonly input?: unknown;
  /** What is known of the state of a child machine. */
  readonly seen?: ChildState;
};

/** What a child machine in another workflow tells of its state. */
export interface ChildState {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly value: unknown;
  readonly context: unknown;
  readonly tags: readonly string[];
}

/** How the outcome of a durable actor reaches the actor that stands for it. */
export type Settlement =
  | { readonly type: 'durable.done'; readonly output: unknown }
  | { readonly type: 'durable.error'; readonly error: unknown }
  | { readonly type: 'durable.stopped' }
  | { readonly type: 'durable.snapshot'; readonly state: ChildState };

/** Every source that runs durably, with the name that the machine knows it by. */
export interface DurableSource {
  readonly name: string;
  readonly spec: Exclude<ActorSpec, { kind: 'in-process' }>;
  /** Whether the parent wants the child machine's snapshots, because an invocation of it has `onSnapshot`. */
  readonly watched: boolean;
}

/** Performs what durable actors ask for. */
export interface DurableHost {
  begin(actor: AnyActorRef, source: DurableSource, input: unknown): void;
  stop(actor: AnyActorRef): void;
  forward(actor: AnyActorRef, event: AnyEventObject): void;
}

type AnySystem = ActorSystem<{ actors: Record<string, AnyActorRef> }>;

const hosts = new WeakMap<AnySystem, DurableHost>();

/** Says who performs what the durable actors of a system ask for. It is called before the system starts. */
export function hostSystem(system: AnySystem, host: DurableHost): void {
  hosts.set(system, host);
}

/**
 * The logic of a source that runs as an activity or in another workflow: an actor that stands for it in the machine's actor
 * system. It is active until its outcome is sent to it, and passes the events that it gets on to a child.
 */
export function durableLogic(
  source: DurableSource,
  original: AnyActorLogic | undefined,
): ActorLogic<DurableSnapshot, AnyEventObject> {
  const hostOf = (system: AnySystem): DurableHost => {
    const host = hosts.get(system);
    if (host === undefined) throw new Error(`the source '${source.name}' runs only in a durable actor`);
    return host;
  };
  return {
    getInitialSnapshot: (_, input) => {
      const snapshot: DurableSnapshot = { status: 'active', output: undefined, error: undefined, input };
      const seen = source.watched ? initialState(original, input) : undefined;
      return seen === undefined ? snapshot : withChildState(snapshot, seen, original);
    },
    start: (snapshot, { system, self }) => hostOf(system).begin(self, source, snapshot.input),
    transition: (snapshot, event, { system, self }) => {
      switch (event.type) {
        case 'durable.done':
          return {
            ...snapshot,
            status: 'done',
            output: (event as AnyEventObject)['output'],
            error: undefined,
          };
        case 'durable.error':
          return {
            ...snapshot,
            status: 'error',
            output: undefined,
            error: (event as AnyEventObject)['error'],
          };
        case 'durable.snapshot':
          return withChildState(snapshot, (event as AnyEventObject)['state'] as ChildState, original);
        case 'durable.stopped':
          return { ...snapshot, status: 'stopped', output: undefined, error: undefined };
        case 'xstate.stop':
          hostOf(system).stop(self);
          return { ...snapshot, status: 'stopped', output: undefined, error: undefined };
        default:
          hostOf(system).forward(self, event);
          return snapshot;
      }
    },
    getPersistedSnapshot: ({ status, output, error, input, seen }) =>
      ({
        status,
        output,
        error,
        input,
        durable: true,
        ...(seen === undefined ? {} : { seen }),
      }) as unknown as Snapshot<unknown>,
    restoreSnapshot: (persisted) => {
      const snapshot = persisted as DurableSnapshot;
      return snapshot.seen === undefined || snapshot.status !== 'active'
        ? snapshot
        : withChildState(snapshot, snapshot.seen, original);
    },
  };
}

/** The state in which a child machine will begin, which its parent sees at once, as in XState; undefined when that is not known. */
function initialState(original: AnyActorLogic | undefined, input: unknown): ChildState | undefined {
  if (original === undefined || !isMachine(original)) return undefined;
  try {
    const initial = initialTransition(original, input as never)[0] as AnyMachineSnapshot;
    return {
      status: 'active',
      value: initial.value as unknown,
      context: initial.context as unknown,
      tags: [...(initial.tags as ReadonlySet<string>)],
    };
  } catch {
    // It will fail there as it has here.
    return undefined;
  }
}

function withChildState(
  snapshot: DurableSnapshot,
  state: ChildState,
  original: AnyActorLogic | undefined,
): DurableSnapshot {
  const { value, context, tags } = state;
  const seen =
    original !== undefined && isMachine(original)
      ? (original.resolveState({ value: value as never, context }) as AnyMachineSnapshot)
      : { value, context, tags: new Set(tags) };
  return {
    ...snapshot,
    ...seen,
    status: 'active',
    output: undefined,
    error: undefined,
    input: snapshot.input,
    seen: state,
  };
}

/** Whether a logic is a state machine, of whichever copy of xstate. */
export const isMachine = (logic: AnyActorLogic): logic is AnyStateMachine =>
  'getStateNodeById' in logic && 'implementations' in logic;
