export { activity, childWorkflow, localActivity, type ActorSpec, type Invocation } from './actor-spec.ts';
export type { ActorFailure } from './actor-failure.ts';
export { describeMachine, type MachineDescription } from './describe.ts';
export { durable } from './durable.ts';
export type { Effect } from './effect.ts';
export { Interpreter, MachineError } from './interpreter.ts';
export type { ContinueAsNewPolicy } from './machine-run.ts';
export { machineWorkflow, type MachineStart, type MachineWorkflowOptions } from './machine-workflow.ts';
export {
  machineQuery,
  sendSignal,
  sendUpdate,
  snapshotQuery,
  type MachineSnapshotView,
  type MachineState,
} from './messages.ts';
export { statePath } from './state-path.ts';
export { workflowRef } from './workflow-ref.ts';
