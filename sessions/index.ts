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
export { acceptUserEvents, markDelivered, undelivered, type UserLogEvent } from './events/accept.ts';
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
export { type EventPage, EventPages } from './events/event-pages.ts';
export { jsonText } from './events/json-text.ts';
export type { BlobLink } from './events/present.ts';
export { replyEvents } from './events/reply.ts';
export type { SerializedEvent } from './events/serialize.ts';
export type { SessionEvents } from './events/session-events.ts';
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
export { USER_EVENT_TYPES, type UserEvent, type UserEventType } from './events/user-events.ts';
export { keptName } from './files/file-name.ts';
export { fileType } from './files/file-type.ts';
export { createFiles, FILE_LIMIT_BYTES, type Files, type FilePage } from './files/files.ts';
export { type Limits, NO_LIMITS, reachedLimit, type Spent } from './limits.ts';
export { DELTA_TYPES, type DeltaType } from './live/live-part.ts';
export { LiveReplies } from './live/live-replies.ts';
export { ReplyPreview } from './live/reply-preview.ts';
export { append, type AppendStep, raiseEpoch, readLog, recordedStep, type StepResult } from './log/append.ts';
export { base64Loader, putAndName, replaceBlobs, storeContentBytes } from './log/blob-sources.ts';
export { endOfOpenRequest } from './log/open-request.ts';
export {
  awaitingConfirmation,
  logSummary,
  type PendingToolUse,
  pendingToolUses,
  readToolAnswers,
} from './log/pending.ts';
export type { LogSummary } from './log/summary.ts';
export { loadMessages, type ProjectedMessage, Projection, projectLog } from './log/project.ts';
export { type Conversation, conversationOf, Conversations } from './log/conversation.ts';
export { requireIntact } from './log/verified.ts';
export type { Page, TwoWayPage } from './page.ts';
export { type ActionFacts, factsOf } from './policy/action-facts.ts';
export { type ActionPolicy, actionPolicy } from './policy/action-policy.ts';
export { dependsOnWindow, type PolicyDecision, type SourcedPolicy } from './policy/evaluate.ts';
export { systemOf } from './system-of.ts';
export { type GivenSecret, type SecretInfo, valueFault } from './secrets/session-secrets.ts';
export { createVault, type SecretValues, type Vault } from './secrets/vault.ts';
export { windowObjection } from './secrets/windows.ts';
export { performGuarded } from './policy/perform-guarded.ts';
export { refusalText } from './policy/refusal.ts';
export { decideUses, type Decided, permissionFor, type ToolUseVerdict } from './permissions.ts';
export { dataOf as sessionData, type SessionData, type SessionStatus } from './session-data.ts';
export { sessionRecording } from './recording.ts';
export { type FileResource, OUTPUTS, UPLOADS } from './resources/resource.ts';
export type { Resources } from './resources/resources.ts';
export type { Session } from './session-view.ts';
export { createSessions, removeSession, type Sessions, type SessionsOptions } from './sessions.ts';
export { addUsage, NO_USAGE, type ReplyUsage, spanUsage, totalTokens, type UsageSum } from './usage.ts';
export { createTimeSlices, type TimeSlices, timeSlices } from './time-slices.ts';
export { ConflictError, NotFoundError } from './validate.ts';
export { agentCreate, agentUpdate } from './agents/agent-schema.ts';
export { agentQuery, agentVersionsQuery, agentsQuery } from './agents/agents.ts';
export { providerToolConfigs } from './agents/provider-tool-schema.ts';
export { agentTools } from './agents/tool-schema.ts';
export { environmentCreate, environmentUpdate, environmentsQuery } from './environments/environments.ts';
export { type LimitedFields, networkingInput, networkingOf } from './environments/networking.ts';
export type { JsonPart } from './events/event-json.ts';
export { eventsQuery } from './events/list.ts';
export type { EventBodies, UrlSource } from './events/types.ts';
export { type GivenEvent, sendBody } from './events/user-events.ts';
export {
  type FileContent,
  type ReceivedFile,
  type SessionFileMetadata,
  type UploadFacts,
  filesQuery,
} from './files/files.ts';
export type { PreviewDelta, PreviewStart } from './live/live-part.ts';
export { Query, afterId, beforeId, limit } from './query.ts';
export { fileParams } from './resources/resource.ts';
export { resourceUpdate, resourcesQuery } from './resources/resources.ts';
export { sessionsQuery } from './session-list.ts';
export { sessionCreate, sessionUpdate } from './session-schema.ts';
export { parse } from './validate.ts';
export { valueJson } from './value-json.ts';
