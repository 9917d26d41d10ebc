/**
 * XState as the rows of the behaviour table write it: one context, one event and no inference of types, which the rows are not
 * about. Everything here is XState's own function under another type.
 */
import * as xstate from 'xstate';
import type { AnyActorLogic, AnyStateMachine } from 'xstate';

/** A context; each row uses the fields that it needs. */
export interface Data {
  readonly n: number;
  readonly list: readonly unknown[];
  readonly got: unknown;
  readonly ref: Ref;
  readonly [key: string]: unknown;
}

/** An event as a row reads it. */
export interface Ev {
  readonly type: string;
  readonly value: number;
  readonly ref: Ref;
  readonly output: unknown;
  readonly error: unknown;
  readonly [key: string]: unknown;
}

/** An event as a row writes it. */
export interface Sent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A reference to an actor. */
export interface Ref {
  readonly id: string;
  send(event: Sent): void;
  getSnapshot(): Seen;
}

/** A snapshot as a row reads it. */
export interface Seen {
  readonly value: unknown;
  readonly status: string;
  readonly context: Data;
  readonly output: unknown;
}

/** What an action, a guard or an input function is called with. */
export interface Args {
  readonly context: Data;
  readonly event: Ev;
  readonly self: Ref;
  readonly system: { get(systemId: string): Ref };
}

type Spawn = (source: string | AnyActorLogic, options?: SpawnOptions) => Ref;
interface SpawnOptions {
  readonly id?: string;
  readonly systemId?: string;
  readonly input?: unknown;
  readonly syncSnapshot?: boolean;
}
type Many<T> = T | readonly T[];
type Computed<T> = T | ((args: Args) => T);
/** With `unknown` alone the arguments of a function would have no types. */
type Value = string | number | readonly unknown[] | ((args: Args) => unknown);
type Run = (args: Args, params: never) => unknown;
type Action = string | { readonly type: string; readonly params?: unknown } | Run;
export type Guard =
  | string
  | { readonly type: string; readonly params?: unknown }
  | ((args: Args, params: never) => boolean);
type Transition =
  | string
  | {
      readonly target?: string | readonly string[];
      readonly actions?: Many<Action>;
      readonly guard?: Guard;
      readonly reenter?: boolean;
      readonly meta?: unknown;
    };
interface Invoke {
  readonly id?: string;
  readonly systemId?: string;
  readonly src: string | AnyActorLogic;
  readonly input?: unknown;
  readonly onDone?: Many<Transition>;
  readonly onError?: Many<Transition>;
  readonly onSnapshot?: Many<Transition>;
}

/** A state, or a whole machine. */
export interface State {
  readonly id?: string;
  readonly type?: 'parallel' | 'final' | 'history';
  readonly history?: 'shallow' | 'deep';
  readonly target?: string;
  readonly initial?: string | { readonly target: string; readonly actions?: Many<Action> };
  readonly context?: Partial<Data> | ((args: Args & { input: never; spawn: Spawn }) => Partial<Data>);
  readonly states?: Readonly<Record<string, State>>;
  readonly on?: Readonly<Record<string, Many<Transition> | undefined>>;
  readonly always?: Many<Transition>;
  readonly after?: Readonly<Record<string | number, Many<Transition>>>;
  readonly onDone?: Many<Transition>;
  readonly entry?: Many<Action>;
  readonly exit?: Many<Action>;
  readonly invoke?: Many<Invoke>;
  readonly tags?: Many<string>;
  readonly meta?: unknown;
  readonly output?: unknown;
  readonly route?: unknown;
}

/** What a machine's names stand for. */
export interface Parts {
  readonly actions?: Readonly<Record<string, Run>>;
  readonly guards?: Readonly<Record<string, Guard>>;
  readonly delays?: Readonly<Record<string, number | ((args: Args, params: never) => number)>>;
  readonly actors?: Readonly<Record<string, AnyActorLogic>>;
}

export const machine = (config: State, parts: Parts = {}): AnyStateMachine =>
  xstate.createMachine(config as never, parts as never) as unknown as AnyStateMachine;

type Target = string | Ref | ((args: Args) => Ref | string | undefined);
interface SendOptions {
  readonly delay?: Computed<number> | string;
  readonly id?: Computed<string>;
}
type Assigned<T> = {
  readonly [K in keyof T]?:
    | ((args: Args & { spawn: Spawn }, params: never) => unknown)
    | number
    | string
    | boolean
    | null
    | undefined
    | readonly unknown[];
};

export const assign = xstate.assign as unknown as (
  assigner: Assigned<Data> | ((args: Args & { spawn: Spawn }, params: never) => Partial<Data>),
) => Run;
export const raise = xstate.raise as unknown as (event: Computed<Sent>, options?: SendOptions) => Run;
export const sendTo = xstate.sendTo as unknown as (
  target: Target,
  event: Computed<Sent>,
  options?: SendOptions,
) => Run;
export const sendParent = xstate.sendParent as unknown as (
  event: Computed<Sent>,
  options?: SendOptions,
) => Run;
export const forwardTo = xstate.forwardTo as unknown as (target: Target) => Run;
export const cancel = xstate.cancel as unknown as (id: Computed<string>) => Run;
export const emit = xstate.emit as unknown as (event: Computed<Sent>) => Run;
export const log = xstate.log as unknown as (value?: Value, label?: string) => Run;
export const spawnChild = xstate.spawnChild as unknown as (
  source: string | AnyActorLogic,
  options?: { readonly id?: Computed<string>; readonly systemId?: string; readonly input?: unknown },
) => Run;
export const stopChild = xstate.stopChild as unknown as (actor: Target) => Run;
interface Enqueue {
  (action: Action): void;
  assign(assigner: Assigned<Data> | ((args: Args) => Partial<Data>)): void;
  raise(event: Sent, options?: SendOptions): void;
  sendTo(target: Target, event: Sent, options?: SendOptions): void;
  emit(event: Sent): void;
  cancel(id: string): void;
  spawnChild(source: string, options?: SpawnOptions): void;
  stopChild(actor: string): void;
}
export const enqueueActions = xstate.enqueueActions as unknown as (
  collect: (args: Args & { enqueue: Enqueue; check: (guard: Guard) => boolean }, params: never) => void,
) => Run;
type Combine = (guards: readonly Guard[]) => (args: Args) => boolean;
export const and = xstate.and as unknown as Combine;
export const or = xstate.or as unknown as Combine;
export const not = xstate.not as unknown as (guard: Guard) => (args: Args) => boolean;
export const stateIn = xstate.stateIn as unknown as (state: unknown) => (args: Args) => boolean;

/** Adds one to `n`. */
export const inc = assign({ n: ({ context }) => context.n + 1 });
/** Adds a value to `list`. */
export const add = (value: Value): Run =>
  assign({
    list: (args) => [...args.context.list, typeof value === 'function' ? value(args) : value],
  });
export const keep = (field: 'output' | 'error'): Run => assign({ got: ({ event }) => event[field] });

export const fails =
  (message: string, fields: object = {}): (() => never) =>
  () => {
    throw Object.assign(new Error(message), fields);
  };
