import type { BetaManagedAgentsSessionEventType } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import { z } from 'zod';
import type { Store } from '../../store/index.ts';
import { fromStored } from '../log/log-event.ts';
import { CREATED_AT, encodePage, type Page, Query } from '../page.ts';
import { present, type SourceForm } from './present.ts';
import type { SessionEvent } from './types.ts';

/** Every type the SDK knows may be asked for, also those that are never written here. */
export const LISTABLE_EVENT_TYPES = [
  'user.message',
  'user.interrupt',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.tool_result',
  'user.define_outcome',
  'agent.message',
  'agent.thinking',
  'agent.tool_use',
  'agent.tool_result',
  'agent.custom_tool_use',
  'agent.mcp_tool_use',
  'agent.mcp_tool_result',
  'agent.thread_message_received',
  'agent.thread_message_sent',
  'agent.thread_context_compacted',
  'session.error',
  'session.status_rescheduled',
  'session.status_running',
  'session.status_idle',
  'session.status_terminated',
  'session.thread_created',
  'session.thread_status_running',
  'session.thread_status_idle',
  'session.thread_status_rescheduled',
  'session.thread_status_terminated',
  'session.updated',
  'session.usage',
  'span.model_request_start',
  'span.model_request_end',
  'span.outcome_evaluation_start',
  'span.outcome_evaluation_ongoing',
  'span.outcome_evaluation_end',
  'system.message',
  'workflow_run.created',
  'workflow_run.status_running',
  'workflow_run.status_idle',
  'workflow_run.status_ended',
  'workflow_run.error',
  'workflow_run.phase_started',
  'workflow_run.phase_ended',
] as const satisfies readonly BetaManagedAgentsSessionEventType[];

/** `GET /v1/sessions/{id}/events`: `order` (asc), `types`, `created_at[...]`, `limit` (100), `page`. */
export async function listEvents(
  store: Store,
  session: string,
  params: URLSearchParams,
  form: SourceForm,
): Promise<Page<SessionEvent>> {
  const query = new Query(params, ['order', 'types', ...CREATED_AT, 'limit', 'page']);
  const order = query.choice('order', ['asc', 'desc']) ?? 'asc';
  const types = query.list('types', LISTABLE_EVENT_TYPES);
  const limit = query.limit(100);
  const after = query.page(z.int().min(0));
  const found = await store.events.read({
    session,
    order,
    createdAt: query.createdAt(),
    limit: limit + 1,
    ...(types === undefined ? {} : { types }),
    ...(after === undefined ? {} : order === 'asc' ? { after } : { before: after }),
  });
  const shown = found.slice(0, limit);
  return {
    data: await Promise.all(shown.map((event) => present(fromStored(event), form))),
    next_page: found.length > limit ? encodePage(shown.at(-1)?.seq) : null,
  };
}
