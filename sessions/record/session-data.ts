import type { BetaManagedAgentsFileResource } from '@anthropic-ai/sdk/resources/beta/sessions/resources.js';
import { recordData, type SessionRecord, type Store, type StoredEvent } from '@steadyhand/store';
import { NotFoundError } from '../api/validate.ts';
import type { ResolvedAgent } from '../agents/agent.ts';
import type { StopReason } from '../events/types.ts';
import type { ActionPolicy } from '../policy/action-policy.ts';
import type { SecretInfo } from '../secrets/session-secrets.ts';
import type { Limits, UsageSum } from './usage.ts';
import { type LogSummary, summaryAfter } from './log-summary.ts';

export type SessionStatus = 'idle' | 'running' | 'rescheduling' | 'terminated';

/** A file that is mounted in a session's sandbox. `file_id` is the session's own copy. */
export type FileResource = BetaManagedAgentsFileResource;

/** The fields of a session's record that the store does not read. */
export interface SessionData {
  /** The agent at the session's creation, with the session's overrides. */
  readonly agent: ResolvedAgent;
  readonly environment_id: string;
  readonly title: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Rules on single actions, in addition to the agent's. */
  readonly policy?: ActionPolicy;
  /** The session's secrets, without their values. */
  readonly secrets?: readonly SecretInfo[];
  /** Null until the first tool use. */
  readonly sandbox_id: string | null;
  /** The files that are mounted in its sandbox; absent where there never were any. */
  readonly resources?: readonly FileResource[];
  /** Counts the changes of `resources`; absent before the first one. */
  readonly resources_version?: number;
  /** The summary of its event log. */
  readonly log: LogSummary;
  /** Why it is idle; null when it is not idle or has never run. */
  readonly stop_reason: StopReason | null;
  readonly usage: UsageSum;
  /** The number of model replies so far. */
  readonly turns: number;
  /** Milliseconds in the status `running`, without the current period. */
  readonly active_ms: number;
  /** When the current period of running began, as RFC 3339; null when it is not running. */
  readonly running_since: string | null;
}

export const { dataOf, toJson } = recordData<SessionData>();

/** @throws {NotFoundError} for an unknown session */
export async function requireSession(store: Pick<Store, 'sessions'>, id: string): Promise<SessionRecord> {
  const record = await store.sessions.get(id);
  if (record === undefined) throw new NotFoundError('Session', id);
  return record;
}

/** The data after events were appended to the session's log. */
export function withLog(data: SessionData, appended: readonly StoredEvent[]): SessionData {
  return { ...data, log: summaryAfter(data.log, appended) };
}

/** The data after the session entered a status at a time. The time in `running` is counted. */
export function withStatus(
  data: SessionData,
  status: SessionStatus,
  at: string,
  stopReason: StopReason | null,
): SessionData {
  const running = status === 'running';
  const ended = data.running_since !== null && !running;
  return {
    ...data,
    stop_reason: stopReason,
    active_ms: data.active_ms + (ended ? activeSince(data, at) : 0),
    running_since: running ? (data.running_since ?? at) : null,
  };
}

/** The seconds that the session has been running up to now. */
export function activeSeconds(data: SessionData, now: string): number {
  return (data.active_ms + activeSince(data, now)) / 1000;
}

function activeSince(data: SessionData, at: string): number {
  return data.running_since === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(data.running_since));
}
