export { durable } from './durable.ts';
export { activity, childWorkflow, localActivity, type ActorSpec, type Invocation } from './actor-spec.ts';
export type { ActorFailure } from './actor-failure.ts';
export { machineWorkflow, type MachineStart, type MachineWorkflowOptions } from './machine-workflow.ts';
export type { ContinueAsNewPolicy } from './machine-run.ts';
export type { MachineDescription } from './machine-description.ts';
export type { MachineSnapshotView, MachineState } from './messages.ts';
export { workflowRef } from './workflow-ref.ts';
