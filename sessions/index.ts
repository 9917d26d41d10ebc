/**
 * Sessions, their agents, environments, files and event logs, without HTTP and without workflows.
 *
 * @example
 * const sessions = createSessions({ store });
 * const agent = await sessions.agents.create({ name: 'Clerk', model: 'claude-sonnet-4-5' });
 * const session = await sessions.create({ agent: agent.id });
 */
export { createSessions, removeSession, type Sessions } from './sessions.ts';
export { sessionRecording } from './session-recording.ts';
export type { Session } from './session-view.ts';
export { systemOf } from './system-prompt.ts';

// The forms of requests, and the parts that take them
export { agentCreate, agentUpdate } from './agents/agent-schema.ts';
export { agentQuery, type Agents, agentsQuery, agentVersionsQuery } from './agents/agents.ts';
export { agentTools, providerToolConfigs } from './agents/tool-schema.ts';
export { TOOLSET_MEMBERS } from './agents/toolset-members.ts';
export { afterId, beforeId, limit, type Page, Query, type TwoWayPage } from './api/query.ts';
export { parse } from './api/validate.ts';
export {
  computerOf,
  environmentCreate,
  type Environments,
  environmentsQuery,
  environmentUpdate,
} from './environments/environments.ts';
export { type LimitedFields, networkingInput, networkingOf } from './environments/networking.ts';
export { fileParams, OUTPUTS, UPLOADS } from './resource.ts';
export { sessionCreate, sessionUpdate } from './session-schema.ts';
export { type Resources, resourcesQuery, resourceUpdate } from './resources.ts';
export type { SessionEvents } from './session-events.ts';
export { sessionsQuery } from './session-list.ts';
export { eventsQuery } from './stream/list.ts';
export { type GivenEvent, sendBody } from './user-events/user-events.ts';

// Agents and files
export type { Agent, AgentTool, ProviderToolConfig } from './agents/agent.ts';
export { decideUses, type Decided } from './agents/permissions.ts';
export { performedFor, toolDefinitions } from './agents/tools.ts';
export { keptName } from './files/file-name.ts';
export { fileType } from './files/file-type.ts';
export {
  createFiles,
  FILE_LIMIT_BYTES,
  type FileContent,
  type FilePage,
  type Files,
  filesQuery,
  type ReceivedFile,
  type SessionFileMetadata,
  type UploadFacts,
} from './files/files.ts';

// Action policies and secrets
export { factsOf } from './policy/action-facts.ts';
export { type ActionPolicy, actionPolicy } from './policy/action-policy.ts';
export { dependsOnWindow, type PolicyDecision, type SourcedPolicy } from './policy/evaluate.ts';
export { type Grant, grantInput, type HeldGrant } from './policy/grant.ts';
export { performGuarded, refusalText } from './policy/perform-guarded.ts';
export { type GivenSecret, valueFault } from './secrets/session-secrets.ts';
export { createVault, type SecretValues, type Vault } from './secrets/vault.ts';
export { windowObjection } from './secrets/windows.ts';

// Events
export {
  BUDGET_REACHED,
  deniedResult,
  END_TURN,
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
  toolResult,
} from './events/builders.ts';
export {
  type Base64Source,
  type BlobSource,
  type EventBodies,
  type EventType,
  is,
  type LogEvent,
  type NewEvent,
  type ResultBlock,
  type SandboxEvent,
  type SessionError,
  type SessionEvent,
  type StopReason,
  type UrlSource,
} from './events/types.ts';
export { claimUndelivered, markDelivered, undelivered, type UserLogEvent } from './user-events/accept.ts';

// The event log and the record of a session
export { append, raiseEpoch, readLog, recordedStep } from './log/append.ts';
export { base64Loader, putAndName, storeContentBytes } from './log/blob-sources.ts';
export { conversationOf } from './log/conversation.ts';
export { endOfOpenRequest, logSummary, pendingToolUses, readToolAnswers } from './log/pending.ts';
export { loadMessages } from './log/project.ts';
export { requireIntact } from './log/verified.ts';
export { type Limits, reachedLimit, type ReplyUsage, spanUsage, totalTokens } from './record/usage.ts';
export type { LogSummary } from './record/log-summary.ts';
export { dataOf as sessionData, type FileResource, type SessionData } from './record/session-data.ts';

// Replies while models give them, and streams of events
export { DELTA_TYPES, type PreviewDelta, type PreviewStart } from './replies/live-part.ts';
export { LiveRelay } from './replies/live-relay.ts';
export { LiveReplies } from './replies/live-replies.ts';
export { replyEvents } from './replies/reply-events.ts';
export { ReplyPreview } from './replies/reply-preview.ts';
export type { JsonPart } from './stream/event-json.ts';
export type { BlobLink } from './stream/event-view.ts';
export { jsonText } from './stream/json-text.ts';
export type { SerializedEvent } from './stream/serialize.ts';
export { timeSlices } from './stream/time-slices.ts';
export { valueJson } from './stream/value-json.ts';
