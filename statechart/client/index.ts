/** What a client, a worker's process or a test imports. */
export {
  checkHistories,
  type CheckedHistory,
  type CheckReport,
  type Coverage,
  type NamedHistory,
  type Share,
  type Verdict,
} from './check/check-histories.ts';
export { toDefinition } from './diagram/to-definition.ts';
export { toEventSchemas } from './diagram/to-event-schemas.ts';
export type { NodeJson } from '../core/definition-json.ts';
export { toMermaid, type StateSource } from './diagram/to-mermaid.ts';
export { toScxml } from './diagram/to-scxml.ts';
export { diffRuns, type RunsDiff } from './diff-runs.ts';
export {
  inspectActor,
  inspectHistory,
  type InspectedActor,
  type Inspector,
  type StatelyInspectionEvent,
} from './inspect/inspect-actor.ts';
export type { ContextChange } from './history/context-diff.ts';
export { explainHistory, type ExplainOptions } from './history/explain-history.ts';
export { HistoryExplainer, type HistoryExplainerOptions } from './history/history-explainer.ts';
export type { MachineSource } from './history/machine-source.ts';
export type {
  Cause,
  Divergence,
  EffectName,
  Explanation,
  Macrostep,
  RunStatus,
  SentEvent,
  StartedEffect,
  StepSnapshot,
  StoppedEffect,
  TakenTransition,
} from './history/explanation.ts';
export { HistoryError } from './history/history-event.ts';
export { definitionOf, type WorkflowDefinition } from '../core/workflow-definition.ts';
export type { Payload, PayloadDecoder } from './history/payloads.ts';
export { decodeData, encodeData, DataError } from '../core/data.ts';
export { identityOf, type MachineIdentity } from '../core/machine-identity.ts';
export type { EmittedOf, EventTypeOf, StatePath, TagOf } from '../core/machine-types.ts';
export { activityErrors } from './activity-errors.ts';
export { actorClient, ActorClient, type ActorClientOptions, type ActorStartOptions } from './actor-client.ts';
export { ActorHandle, type Awaited, type SnapshotPredicate, type WaitOptions } from './actor-handle.ts';
export type { ActorChange, ActorSnapshot, ActorState } from './actor-view.ts';
export type { CallOptions } from './deadline.ts';
export {
  ActorBusyError,
  ActorEndedError,
  ActorError,
  ActorFailedError,
  ActorHeldError,
  ActorStuckError,
  ActorNotFoundError,
  ActorTimeoutError,
  EventInvalidError,
  EventNotAcceptedError,
} from './errors.ts';
export { findActors, type FindOptions, type FoundActor } from './find-actors.ts';
export type { PollOptions } from './pace.ts';
export {
  ACTOR_ATTRIBUTES,
  ensureSearchAttributes,
  SearchAttributesError,
  type ActorAttributes,
} from './search-attributes.ts';
export type { SubscribeOptions } from './subscription.ts';
export {
  ReplayError,
  testActor,
  TestActor,
  type Outcome,
  type Script,
  type ScriptedCall,
  type TestActorOptions,
  type TraceEntry,
} from './test-actor.ts';
export { durableTarget, type DurableTargetOptions, type ScenarioClient } from './testing/durable-target.ts';
export {
  exploreFaults,
  type ExploreOptions,
  type FaultFailure,
  type FaultReport,
  type Invariant,
  type Moment,
} from './testing/explore-faults.ts';
export type { Fault, FaultKind } from './testing/fault.ts';
export { checkPath, PathError, pathsOf, type MachinePath, type PathsOptions } from './testing/paths.ts';
export {
  runScenario,
  type Scenario,
  type ScenarioPoint,
  type ScenarioStep,
  type ScenarioTarget,
  type ScenarioTrace,
  type SourceAnswer,
} from './testing/scenario.ts';
export {
  scriptedActivities,
  type ScriptedActivities,
  type ScriptedActivityCall,
} from './testing/scripted-activities.ts';
export { testTarget } from './testing/test-target.ts';
