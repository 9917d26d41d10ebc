import type { AnyStateMachine, StateValue } from 'xstate';
import type { CarriedDelay, CarriedMachine } from './carried.ts';
import { decodeData, encodeData, type ReferenceCodec } from './data.ts';
import type { MachineIdentity } from './machine-identity.ts';

/** How the state of a run of an earlier machine becomes one of the newest. */
export interface Migration<TContext = unknown, TState extends string = string> {
  /**
   * New places of states by their old ones, as state paths: `{ 'review.waiting': 'review.open' }`. A state takes those below it
   * along; a state that is not named keeps its place.
   */
  readonly states?: Readonly<Record<string, TState>>;
  /** Makes the new context. Default: the context stays as it is. */
  readonly context?: (context: unknown, from: MachineIdentity | null) => TContext;
}

/** A state that no migration makes one of the newest machine. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface PersistedMachine {
  readonly value: StateValue;
  readonly context: unknown;
  readonly historyValue?: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly children?: Readonly<Record<string, { readonly src: unknown }>>;
}

/** References in a context go through a migration as the addresses that they are. */
const ADDRESSES: ReferenceCodec = {
  encode: (value) => (value instanceof AddressBox ? value.address : undefined),
  decode: (address, assign) => assign(new AddressBox(address)),
};

class AddressBox {
  readonly address: unknown;
  constructor(address: unknown) {
    this.address = address;
  }
}

/**
 * Makes what a run of an earlier machine has carried a state of another machine.
 *
 * @throws MigrationError when the result is no state of `machine`, or holds a source that `machine` does not have.
 */
export function migrateCarried(
  carried: CarriedMachine,
  machine: AnyStateMachine,
  migration: Migration,
  from: MachineIdentity | null,
): CarriedMachine {
  const persisted = carried.snapshot as PersistedMachine;
  const value = fromPaths(leaves(persisted.value).map((path) => moved(path, migration)));
  requireState(machine, value);
  for (const [id, { src }] of Object.entries(persisted.children ?? {})) {
    if (typeof src === 'string' && !hasSource(machine, src)) {
      throw new MigrationError(
        `the running actor '${id}' has the source '${src}', which machine '${machine.id}' does not have`,
      );
    }
  }
  const movedId = (id: string): string => idMoved(id, machine, migration);
  const context = migration.context
    ? encodeData(migration.context(decodeData(persisted.context, ADDRESSES), from), 'context', ADDRESSES)
    : persisted.context;
  return {
    ...carried,
    snapshot: {
      ...persisted,
      value,
      context,
      ...(persisted.historyValue === undefined
        ? {}
        : {
            historyValue: Object.fromEntries(
              Object.entries(persisted.historyValue).map(([node, states]) => [
                movedId(node),
                states.map(({ id }) => ({ id: movedId(id) })),
              ]),
            ),
          }),
    },
    delays: carried.delays.map((delay) => delayMoved(delay, movedId)),
  };
}

/** The paths of the innermost active states. */
function leaves(value: StateValue): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([key, child]) => {
    const below = child === undefined ? [] : leaves(child);
    return below.length === 0 ? [key] : below.map((path) => `${key}.${path}`);
  });
}

function fromPaths(paths: readonly string[]): StateValue {
  const [only] = paths;
  if (paths.length === 1 && only !== undefined && !only.includes('.')) return only;
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const [head = '', ...rest] = path.split('.');
    groups.set(head, [...(groups.get(head) ?? []), ...(rest.length === 0 ? [] : [rest.join('.')])]);
  }
  return Object.fromEntries(
    [...groups].map(([head, below]) => [head, below.length === 0 ? {} : fromPaths(below)]),
  );
}

/** The new place of a state: that of itself, or of the innermost state around it that has one. */
function moved(path: string, { states = {} }: Migration): string {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const target = states[parts.slice(0, length).join('.')];
    if (target !== undefined) return [target, ...parts.slice(length)].join('.');
  }
  return path;
}

function idMoved(id: string, machine: AnyStateMachine, migration: Migration): string {
  const prefix = `${machine.id}.`;
  return id.startsWith(prefix) ? prefix + moved(id.slice(prefix.length), migration) : id;
}

/** An `after` delay names the state that it belongs to. */
function delayMoved(delay: CarriedDelay, movedId: (id: string) => string): CarriedDelay {
  const match = /^(xstate\.after\.[^.]+\.)(.*)$/.exec(delay.event.type);
  if (match === null) return delay;
  const [, head = '', node = ''] = match;
  const type = head + movedId(node);
  return { ...delay, id: delay.id === delay.event.type ? type : delay.id, event: { ...delay.event, type } };
}

function requireState(machine: AnyStateMachine, value: StateValue): void {
  try {
    machine.resolveState({ value, context: {} });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${JSON.stringify(value)} is not a state of machine '${machine.id}': ${reason}`);
  }
}

const hasSource = (machine: AnyStateMachine, src: string): boolean =>
  src in machine.implementations.actors || src.startsWith('xstate.invoke.');
