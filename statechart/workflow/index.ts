/** What a workflow's module imports. */
export { durable } from '../core/durable.ts';
export {
  activity,
  childMachine,
  childWorkflow,
  inProcess,
  localActivity,
  type ActorSpec,
  type ActorSpecs,
  type Invocation,
  type Supervision,
} from '../core/actor-spec.ts';
export { DataError } from '../core/data.ts';
export type { EventSchema, EventSchemas } from '../core/event-schemas.ts';
export { identityOf, type MachineIdentity } from '../core/machine-identity.ts';
export type { EventTypeOf, MachineActorSpecs, StatePath, TagOf } from '../core/machine-types.ts';
export type { MachineDescription } from '../core/machine-description.ts';
export type {
  Change,
  ChangesView,
  Held,
  MachineSnapshotView,
  MachineState,
  RefusedEvents,
  WaitCondition,
  WaitOutcome,
} from '../core/messages.ts';
export type { Migration } from '../core/migration.ts';
export { SourceError } from '../core/prepare-machine.ts';
export { workflowRef } from '../core/workflow-ref.ts';
export { actorHandle, type WorkflowActorHandle } from './actor-handle.ts';
export type { ContinueAsNewPolicy } from './continue-as-new-policy.ts';
export { machineWorkflow, type EventMakers, type MachineWorkflowOptions } from './machine-workflow.ts';
export type { MachineStart, StateAttributes } from './machine-start.ts';
