import type { AnyEventObject, AnyStateMachine } from 'xstate';
import type { ActorSpecs } from './actor-spec.ts';
import type { EventSchemas } from './event-schemas.ts';
import type { Migration } from './migration.ts';

/** What a workflow was made of by `machineWorkflow`, as far as its histories are read by it. */
export interface WorkflowDefinition {
  readonly machine: AnyStateMachine;
  readonly actors?: ActorSpecs;
  readonly events?: EventSchemas;
  readonly versions?: readonly AnyStateMachine[];
  readonly migrate?: Migration;
  readonly unidentified?: AnyStateMachine;
  readonly signals?: Readonly<Record<string, (...args: never[]) => AnyEventObject>>;
  readonly updates?: Readonly<Record<string, (...args: never[]) => AnyEventObject>>;
  readonly maxMicrosteps?: number;
}

/** The workflow's module may be loaded from another copy of this package than the reader. */
const DEFINITION = Symbol.for('@steadyhand/statechart/definition');

export function withDefinition<T extends object>(workflow: T, definition: WorkflowDefinition): T {
  return Object.defineProperty(workflow, DEFINITION, { value: definition });
}

/** The definition of a workflow that `machineWorkflow` has made; undefined for anything else. */
export const definitionOf = (workflow: unknown): WorkflowDefinition | undefined =>
  typeof workflow === 'function'
    ? (workflow as { readonly [DEFINITION]?: WorkflowDefinition })[DEFINITION]
    : undefined;
