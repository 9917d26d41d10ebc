import type { RequestModelOutcome, ToolCall } from '@steadyhand/contracts';
import type { ModelReply } from '@steadyhand/messages';
import { windowTitle } from '@steadyhand/sandbox/client';
import {
  type Decided,
  decideUses,
  dependsOnWindow,
  factsOf,
  modelRequestEnd,
  type NewEvent,
  performedFor,
  replyEvents,
  requiresAction,
  type SessionData,
  spanUsage,
  statusIdle,
} from '@steadyhand/sessions';
import { eventId } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';
import { policiesOf } from './session-data.ts';

/** A reply as it was recorded, before anything was made of it. */
export interface KeptReply {
  readonly reply: ModelReply;
  /** The sequence number of the last event that the model was shown. */
  readonly shown: number;
  /** The id of the request's `span.model_request_start`. */
  readonly startId: string;
}

/** What a reply adds to the event log, and the outcome for the session's state machine. */
interface ReadReply {
  readonly events: readonly NewEvent[];
  readonly outcome: RequestModelOutcome;
}

/** A reply that this program cannot read. The model is not asked again: another reply would cost as much and be read no better. */
export class ReplyNotUnderstoodError extends Error {
  override readonly name = 'ReplyNotUnderstoodError';
}

/** The most characters of an explanation in `session.status_idle`, which is a sentence or two. */
const MAX_EXPLANATION = 1000;

/**
 * Makes the log's events of a reply. The action policies decide about its tool uses and may depend on the sandbox's window.
 * @param key the key of the step that appends the events; their ids follow from it
 * @throws {ReplyNotUnderstoodError}
 */
export async function readReply(
  deps: Pick<ActivityDeps, 'policy' | 'sandboxes'>,
  session: string,
  key: string,
  data: SessionData,
  { reply, shown, startId }: KeptReply,
): Promise<ReadReply> {
  const decided = await decide(deps, data, reply);
  const said = eventsOf(reply, shown, data, decided);
  const ids = said.map((_event, index) => eventId(session, key, index));
  const calls = said.flatMap((event, index) => callOf(event, ids[index] ?? ''));
  const waiting = calls.filter(({ decision }) => decision === 'ask' || decision === 'custom');
  const outcome = outcomeOf(reply, calls);
  const asks = outcome.type === 'tools' && waiting.length > 0;
  return {
    outcome,
    events: [
      ...said,
      // This event is marked too, because an empty reply has no other event that says what the model was shown.
      {
        ...modelRequestEnd(startId, spanUsage(reply.usage)),
        internal: { reply: { id: reply.id, cursor: shown } },
      },
      ...(asks ? [statusIdle(requiresAction(waiting.map(({ id }) => id)))] : []),
    ],
  };
}

function eventsOf(
  reply: ModelReply,
  shown: number,
  data: SessionData,
  decided: Decided,
): readonly NewEvent[] {
  try {
    return replyEvents(reply, shown, data.agent.tools, decided);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReplyNotUnderstoodError(`The model's reply could not be understood: ${reason}`, {
      cause: error,
    });
  }
}

function callOf(event: NewEvent, id: string): ToolCall[] {
  if (event.type === 'agent.tool_use') return [{ id, decision: event.body.evaluated_permission }];
  return event.type === 'agent.custom_tool_use' ? [{ id, decision: 'custom' }] : [];
}

function outcomeOf(
  { stop_reason: reason, stop_details: details }: ModelReply,
  calls: readonly ToolCall[],
): RequestModelOutcome {
  if (reason === 'refusal') {
    const told = details?.type === 'refusal' ? details : null;
    return {
      type: 'refusal',
      details: told && {
        category: told.category ?? null,
        explanation: told.explanation?.slice(0, MAX_EXPLANATION) ?? null,
      },
    };
  }
  if (calls.length > 0) return { type: 'tools', calls };
  return { type: reason === 'pause_turn' ? 'continue' : 'end' };
}

/** What the action policies decide about the reply's tool uses. The window is read only where a rule depends on it. */
async function decide(
  { policy, sandboxes }: Pick<ActivityDeps, 'policy' | 'sandboxes'>,
  data: SessionData,
  reply: ModelReply,
): Promise<Decided> {
  const policies = policiesOf(policy, data);
  const uses = reply.content.filter((block) => block.type === 'tool_use');
  const facts = uses.flatMap((use) => {
    const tool = performedFor(data.agent.tools, use);
    return tool === undefined ? [] : factsOf({ ...tool, input: use.input });
  });
  // Without a sandbox there is no window yet; it is read again right before the action.
  const needsWindow = data.sandbox_id !== null && dependsOnWindow(policies, facts);
  const title = needsWindow ? await windowTitle(sandboxes, data.sandbox_id) : null;
  return decideUses(data.agent.tools, uses, { policies, grants: data.log.grants }, title);
}
