import {
  getNextTransitions,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type StateNode,
  type StateValue,
} from 'xstate';
import { definitionJson } from './definition-json.ts';
import type { JsonSchemas } from './event-schemas.ts';
import { identityOf, type MachineIdentity } from './machine-identity.ts';
import { statePath } from './state-path.ts';

/** The answer of the query `machine`: the definition and the machine's state in it. */
export interface MachineDescription {
  readonly identity: MachineIdentity;
  /** The machine's definition as `toDefinition` gives it. */
  readonly definition: unknown;
  /** Ids of the active state nodes, ancestors first. */
  readonly active: readonly string[];
  readonly state: string;
  /** Event types that have a transition now (guards are not evaluated), without XState's own `xstate.*` events. */
  readonly events: readonly string[];
  /** What the machine's events hold, for those whose schemas can tell it as JSON schemas. */
  readonly schemas: JsonSchemas;
}

/**
 * Describes a machine and where it stands.
 *
 * @param machine As its author wrote it.
 * @param snapshot Null while the run has no state.
 */
export function describeMachine(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot | null,
  schemas: JsonSchemas,
): MachineDescription {
  return {
    identity: identityOf(machine),
    definition: definitionJson(machine),
    active: snapshot === null ? [] : activeNodes(machine.root as StateNode, snapshot.value as StateValue),
    state: snapshot === null ? '' : statePath(snapshot.value as StateValue),
    events: snapshot === null ? [] : legalEvents(snapshot),
    schemas,
  };
}

/** Event types that have a transition now, without XState's own. */
export function legalEvents(snapshot: AnyMachineSnapshot): string[] {
  if (snapshot.status !== 'active') return [];
  const types = getNextTransitions(snapshot).map((candidate) => candidate.eventType as string);
  return [...new Set(types)].filter((type) => type !== '' && !type.startsWith('xstate.'));
}

/** Ids of the state nodes that a value stands for, ancestors first. */
export function activeNodes(node: StateNode, value: StateValue): string[] {
  const below =
    typeof value === 'string'
      ? [[value, {}] as const]
      : Object.entries(value).map(([key, child]) => [key, child ?? {}] as const);
  return [
    node.id,
    ...below.flatMap(([key, child]) => {
      const next = (node.states as Readonly<Record<string, StateNode | undefined>>)[key];
      return next === undefined ? [] : activeNodes(next, child);
    }),
  ];
}
