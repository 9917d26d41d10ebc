import { getNextTransitions, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { statePath } from './state-path.ts';

/** The answer of the query `machine`: the definition and the machine's state in it. */
export interface MachineDescription {
  /** The machine's definition as XState serialises it. */
  readonly definition: unknown;
  /** Ids of the active state nodes, ancestors first. */
  readonly active: readonly string[];
  readonly state: string;
  /** Event types that have a transition now (guards are not evaluated), without XState's own `xstate.*` events. */
  readonly events: readonly string[];
}

export function describeMachine(machine: AnyStateMachine, snapshot: AnyMachineSnapshot): MachineDescription {
  const nodes = (snapshot as unknown as { _nodes: readonly { id: string; order: number }[] })._nodes;
  return {
    definition: JSON.parse(JSON.stringify(machine.definition)) as unknown,
    active: nodes.toSorted((a, b) => a.order - b.order).map((node) => node.id),
    state: statePath(snapshot.value as never),
    events: legalEvents(snapshot),
  };
}

function legalEvents(snapshot: AnyMachineSnapshot): string[] {
  if (snapshot.status !== 'active') return [];
  const types = getNextTransitions(snapshot).map((candidate) => candidate.eventType as string);
  return [...new Set(types)].filter((type) => type !== '' && !type.startsWith('xstate.'));
}
