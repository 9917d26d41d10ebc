import type { AnyStateMachine, StateNode, TransitionDefinition } from 'xstate';

/** Which machine a run belongs to. */
export interface MachineIdentity {
  /** The machine's `id`. */
  readonly id: string;
  /** The machine's `version`; null without one. */
  readonly version: string | null;
  /** A hash of the machine's states, transitions, delays and the names of its sources, actions and guards; 16 hex digits. */
  readonly hash: string;
}

/**
 * Tells which machine this is. Two machines with the same id, version and hash take a run through the same states. The bodies
 * of functions do not count: a change of one that matters to open runs is a new `version`.
 */
export function identityOf(machine: AnyStateMachine): MachineIdentity {
  const known = identities.get(machine);
  if (known !== undefined) return known;
  const { id, version } = machine as { readonly id: string; readonly version?: unknown };
  const identity = {
    id,
    version: typeof version === 'string' ? version : null,
    hash: fnv1a(JSON.stringify(shapeOf(machine.root as AnyNode))),
  };
  identities.set(machine, identity);
  return identity;
}

const identities = new WeakMap<AnyStateMachine, MachineIdentity>();

export const isSameMachine = (a: MachineIdentity, b: MachineIdentity): boolean =>
  a.id === b.id && a.version === b.version && a.hash === b.hash;

/** An identity on one line, such as `order 2.1.0 (0123456789abcdef)`. */
export const identityText = ({ id, version, hash }: MachineIdentity): string =>
  `${id}${version === null ? '' : ` ${version}`} (${hash})`;

type AnyNode = StateNode;
type AnyTransition = TransitionDefinition<never, never>;

/** What decides the way of a run through the machine, as JSON. */
function shapeOf(node: AnyNode): unknown {
  return [
    node.key,
    node.type,
    node.history,
    node.tags,
    names(node.entry),
    names(node.exit),
    node.invoke.map(({ id, src, onSnapshot }) => [id, nameOf(src), onSnapshot !== undefined]),
    [...node.transitions.values()]
      .flat()
      .map((transition) => transitionShape(transition as unknown as AnyTransition)),
    (node.always ?? []).map((transition) => transitionShape(transition as unknown as AnyTransition)),
    transitionShape(node.initial as unknown as AnyTransition),
    Object.values(node.states).map((child) => shapeOf(child as unknown as AnyNode)),
  ];
}

function transitionShape(transition: AnyTransition | undefined): unknown {
  if (transition === undefined) return null;
  const { eventType, target, guard, actions, reenter } = transition as unknown as {
    readonly eventType?: string;
    readonly target?: readonly { readonly id: string }[];
    readonly guard?: unknown;
    readonly actions: readonly unknown[];
    readonly reenter?: boolean;
  };
  return [
    eventType,
    target?.map(({ id }) => id),
    guard === undefined ? null : nameOf(guard),
    names(actions),
    reenter,
  ];
}

const names = (actions: readonly unknown[]): readonly string[] => actions.map(nameOf);

/** The name of an action, guard or source; an inline one has its kind alone. */
function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'type' in value) return String(value.type);
  if (typeof value === 'function' && 'type' in value) return String(value.type);
  return '(inline)';
}

const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/** FNV-1a of 64 bits: a workflow has no other hash, and this one only has to tell versions apart. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return hash.toString(16).padStart(16, '0');
}
