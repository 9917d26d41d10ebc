export type { Agent, AgentTool, Policy, ResolvedAgent, ProviderToolConfig } from './agents/agent.ts';
export { type Agents, createAgents } from './agents/agents.ts';
export {
  offeredTools,
  type OfferedTool,
  performedFor,
  type PerformedTool,
  toolDefinitions,
} from './agents/tools.ts';
export {
  computerOf,
  createEnvironments,
  DEFAULT_ENVIRONMENT,
  type Environments,
} from './environments/environments.ts';
export { acceptUserEvents, markDelivered, undelivered, type UserLogEvent } from './user-events/accept.ts';
export {
  BUDGET_REACHED,
  deniedResult,
  deniedText,
  END_TURN,
  INTERRUPT_TEXT,
  INTERRUPTED_RESULT,
  interruptedResult,
  modelRequestEnd,
  modelRequestStart,
  refusedTurn,
  requiresAction,
  RETRIES_EXHAUSTED,
  sessionError,
  type SessionErrorType,
  statusIdle,
  statusRescheduled,
  statusRunning,
  statusTerminated,
  toolResult,
} from './events/builders.ts';
export { type EventPage, EventPages } from './stream/event-pages.ts';
export { jsonText } from './stream/json-text.ts';
export type { BlobLink } from './stream/event-view.ts';
export { replyEvents } from './replies/reply-events.ts';
export type { SerializedEvent } from './stream/serialize.ts';
export type { SessionEvents } from './session-events.ts';
export {
  type Base64Source,
  type BlobSource,
  type EventType,
  is,
  type LogEvent,
  type NewEvent,
  type Permission,
  type ResultBlock,
  type SessionError,
  type SessionEvent,
  type StopReason,
} from './events/types.ts';
export { USER_EVENT_TYPES, type UserEvent, type UserEventType } from './user-events/user-events.ts';
export { keptName } from './files/file-name.ts';
export { fileType } from './files/file-type.ts';
export { createFiles, FILE_LIMIT_BYTES, type Files, type FilePage } from './files/files.ts';
export { type Limits, NO_LIMITS, reachedLimit, type Spent } from './record/limits.ts';
export { DELTA_TYPES, type DeltaType } from './replies/live-part.ts';
export { LiveReplies } from './replies/live-replies.ts';
export { ReplyPreview } from './replies/reply-preview.ts';
export { append, type AppendStep, raiseEpoch, readLog, recordedStep, type StepResult } from './log/append.ts';
export { base64Loader, putAndName, replaceBlobs, storeContentBytes } from './log/blob-sources.ts';
export {
  awaitingConfirmation,
  endOfOpenRequest,
  logSummary,
  type PendingToolUse,
  pendingToolUses,
  readToolAnswers,
} from './log/pending.ts';
export type { LogSummary } from './record/log-summary.ts';
export { loadMessages, type ProjectedMessage, Projection, projectLog } from './log/project.ts';
export { type Conversation, conversationOf, Conversations } from './log/conversation.ts';
export { requireIntact } from './log/verified.ts';
export type { Page, TwoWayPage } from './api/page.ts';
export { type ActionFacts, factsOf } from './policy/action-facts.ts';
export { type ActionPolicy, actionPolicy } from './policy/action-policy.ts';
export { dependsOnWindow, type PolicyDecision, type SourcedPolicy } from './policy/evaluate.ts';
export { systemOf } from './system-prompt.ts';
export { type SecretInfo, valueFault } from './secrets/session-secrets.ts';
export { createVault, type SecretValues, type Vault } from './secrets/vault.ts';
export { windowObjection } from './secrets/windows.ts';
export { performGuarded } from './policy/perform-guarded.ts';
export { refusalText } from './policy/refusal.ts';
export { decideUses, type Decided, permissionFor, type ToolUseVerdict } from './agents/permissions.ts';
export {
  dataOf as sessionData,
  type FileResource,
  type SessionData,
  type SessionStatus,
} from './record/session-data.ts';
export { sessionRecording } from './session-recording.ts';
export { OUTPUTS, UPLOADS } from './resource.ts';
export type { Resources } from './resources.ts';
export type { Session } from './session-view.ts';
export { createSessions, removeSession, type Sessions, type SessionsOptions } from './sessions.ts';
export {
  addUsage,
  NO_USAGE,
  type ReplyUsage,
  spanUsage,
  totalTokens,
  type UsageSum,
} from './record/usage.ts';
export { createTimeSlices, type TimeSlices, timeSlices } from './stream/time-slices.ts';
export { ConflictError, NotFoundError } from './api/validate.ts';
export { agentCreate, agentUpdate } from './agents/agent-schema.ts';
export { providerToolConfigs } from './agents/provider-tool-schema.ts';
export { agentTools } from './agents/tool-schema.ts';
export { environmentCreate, environmentUpdate } from './environments/environments.ts';
export { type LimitedFields, networkingInput, networkingOf } from './environments/networking.ts';
export type { JsonPart } from './stream/event-json.ts';
export { LISTABLE_EVENT_TYPES } from './stream/list.ts';
export type { SandboxEvent } from './events/sandbox-events.ts';
export { sendBody } from './user-events/user-events.ts';
export type { FileContent, ReceivedFile, SessionFileMetadata, UploadFacts } from './files/files.ts';
export { Query } from './api/page.ts';
export { fileParams } from './resource.ts';
export { sessionCreate, sessionUpdate } from './session-schema.ts';
export { parse } from './api/validate.ts';
export { valueJson } from './stream/value-json.ts';
