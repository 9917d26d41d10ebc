import type {
  BetaManagedAgentsSession,
  BetaManagedAgentsSessionAgent,
} from '@anthropic-ai/sdk/resources/beta/sessions/sessions.js';
import type { SessionRecord } from '@steadyhand/store';
import { policyOf } from './agents/agents.ts';
import type { ActionPolicy } from './policy/action-policy.ts';
import type { HeldGrant } from './policy/grant.ts';
import type { SecretInfo } from './secrets/session-secrets.ts';
import type { AgentTool } from './agents/agent.ts';
import type { StopReason } from './events/types.ts';
import { type Limits, sessionUsage } from './record/usage.ts';
import { activeSeconds, dataOf, type SessionStatus } from './record/session-data.ts';

/** A session as it is answered: the SDK's shape, and the fields that extend it. */
export type Session = Omit<BetaManagedAgentsSession, 'agent'> & {
  readonly agent: Omit<BetaManagedAgentsSessionAgent, 'tools'> & { readonly tools: readonly AgentTool[] };
  /** `sbx_...`; null until the first tool use. */
  readonly sandbox_id: string | null;
  readonly limits: Limits;
  readonly policy?: ActionPolicy;
  readonly secrets?: readonly SecretInfo[];
  /** What a person has allowed for the rest of the session; absent where there never was anything. */
  readonly grants?: readonly HeldGrant[];
  /** Why it is idle; null when it is not idle or has never run. */
  readonly stop_reason: StopReason | null;
};

export function viewSession(record: SessionRecord, now: number): Session {
  const data = dataOf(record);
  const status = record.status as SessionStatus;
  const at = new Date(now).toISOString();
  const active = activeSeconds(data, at);
  const end = status === 'terminated' ? record.updated_at : at;
  return {
    id: record.id,
    type: 'session',
    status,
    stop_reason: data.stop_reason,
    title: data.title,
    metadata: { ...data.metadata },
    agent: {
      type: 'agent',
      ...data.agent,
      mcp_servers: [],
      skills: [],
      multiagent: null,
      execution_identity: { type: 'service_account' },
    },
    environment_id: data.environment_id,
    sandbox_id: data.sandbox_id,
    limits: data.limits,
    ...policyOf(data.policy),
    ...(data.secrets === undefined ? {} : { secrets: data.secrets }),
    ...(data.log.grants === undefined ? {} : { grants: data.log.grants }),
    budget: null,
    usage: sessionUsage(data.usage, active),
    stats: {
      active_seconds: active,
      duration_seconds: Math.max(0, (Date.parse(end) - Date.parse(record.created_at)) / 1000),
    },
    resources: [...(data.resources ?? [])],
    vault_ids: [],
    outcome_evaluations: [],
    deployment_id: null,
    created_at: record.created_at,
    updated_at: record.updated_at,
    archived_at: record.archived_at,
  };
}
