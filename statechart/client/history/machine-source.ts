import type { AnyStateMachine } from 'xstate';
import { definitionOf, type WorkflowDefinition } from '../../core/workflow-definition.ts';

/** What a history is read by: a workflow that `machineWorkflow` has made, its definition, or the machine alone. */
export type MachineSource = AnyStateMachine | WorkflowDefinition | ((...args: never[]) => Promise<unknown>);

/** @throws TypeError for what is neither a machine nor a workflow made of one. */
export function requireDefinition(source: MachineSource): WorkflowDefinition {
  const definition =
    typeof source === 'function' ? definitionOf(source) : 'machine' in source ? source : { machine: source };
  if (definition === undefined)
    throw new TypeError('expected a machine, or a workflow that machineWorkflow has made');
  return definition;
}
