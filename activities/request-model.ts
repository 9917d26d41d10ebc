import { createHash } from 'node:crypto';
import {
  ApiError,
  collectMessage,
  keepScreenshots,
  PROVIDER_TOOL_BETAS,
  isProviderTool,
  toolFor,
  type ModelReply,
  type ModelRequest,
} from '../messages/index.ts';
import { windowTitle } from '../sandbox/client/guarded-action.ts';
import {
  append,
  dependsOnWindow,
  factsOf,
  modelRequestEnd,
  modelRequestStart,
  projectLog,
  loadMessages,
  base64Loader,
  reachedLimit,
  readLog,
  replyEvents,
  requiresAction,
  sessionError,
  spanUsage,
  statusIdle,
  statusRescheduled,
  statusRunning,
  systemOf,
  toolDefinitions,
  totalTokens,
  type Decided,
  decideUses,
  type LogEvent,
  type SessionData,
} from '../sessions/index.ts';
import { eventId } from '../store/index.ts';
import type { RequestModelInput, RequestModelOutcome, SessionActivities, ToolCall } from './contract.ts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { lively } from './lively.ts';
import { FIRST_WAIT_MS, providerWait } from './provider-wait.ts';
import { secretsOf, withoutValues } from './session-secrets.ts';
import { policiesOf } from './session-policies.ts';
import { SingleFlight } from './single-flight.ts';
import { stepKey } from './step-key.ts';

/** A reply's bound when the agent sets none; what the oldest of the models take, too. */
const MAX_TOKENS = 8192;
/** Screenshots that a request carries at least where the agent does not say; up to twice as many, less one. */
const PICTURES = 10;

/**
 * Asks the model for the next reply and appends it. The reply is an effect under the step's key: a retry that finds it in
 * the log returns it. One that finds only the request's start asks again, because asking changes nothing in the world; a
 * reply that was lost on the way may have been billed.
 */
export function requestModel(deps: ActivityDeps): SessionActivities['requestModel'] {
  const flights = new SingleFlight<RequestModelOutcome>();
  return async (input, invocation) =>
    await lively((signal) =>
      flights.run(`${input.session}/${invocation.step}`, signal, (aborted) =>
        ask(deps, input, stepKey(invocation), aborted),
      ),
    );
}

async function ask(
  deps: ActivityDeps,
  input: RequestModelInput,
  step: string,
  signal: AbortSignal,
): Promise<RequestModelOutcome> {
  const { store } = deps;
  const { session, epoch } = input;
  const recorded = await recordedReply(deps, session, `${step}/reply`);
  if (recorded) return recorded;

  const data = await readSession(store, session);
  if (reachedLimit(data.limits, { turns: input.turns, tokens: totalTokens(data.usage) }))
    return { type: 'limit' };
  const log = await readLog(store, session);
  const conversation = projectLog(log);
  if (conversation.at(-1)?.role !== 'user') return { type: 'end' };

  const start = `${step}/start`;
  const isRunning = data.running_since !== null;
  await append(store, {
    session,
    epoch,
    key: start,
    events: [modelRequestStart(), ...(isRunning ? [] : [statusRunning()])],
  });
  const startId = eventId(session, start, 0);
  const shown = log.at(-1)?.seq ?? 0;
  // Before they are read: pictures which are not shown need not be.
  const { keep_screenshots: newest = PICTURES } = data.agent.context_care ?? {};
  const seen = newest === null ? conversation : keepScreenshots(conversation, newest);
  const messages = await loadMessages(seen, base64Loader(store.blobs));
  try {
    // Asked for as a stream: a long reply is not cut by a bound on its whole, and one that stalls is noticed early.
    const given = await collectMessage(
      deps.providers
        .providerFor(data.agent.model.id)
        .stream(requestOf(data, messages), { signal, id: replyId(session, step) }),
    );
    const content = withoutValues(given.content, await secretsOf(deps, session, data));
    const reply = { ...given, content };
    return await keep(deps, input, `${step}/reply`, { reply, startId, shown, data });
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) throw error;
    const failed = modelRequestEnd(startId, spanUsage({ input_tokens: 0, output_tokens: 0 }), true);
    const events = error.retryable
      ? [failed, sessionError(kindOf(error), error.message, 'retrying'), statusRescheduled()]
      : [failed];
    await append(store, { session, epoch, key: `${step}/reply`, events });
    if (!error.retryable) throw error;
    return { type: 'wait', ms: providerWait(error.retryAfterMs, input.waits) };
  }
}

function requestOf(data: SessionData, messages: ModelRequest['messages']): ModelRequest {
  const tools = toolDefinitions(data.agent.tools);
  const system = systemOf(data);
  return {
    model: data.agent.model.id,
    max_tokens: MAX_TOKENS,
    messages,
    tools,
    betas: betasOf(tools),
    ...(system === null ? {} : { system }),
    ...(data.agent.context_care === undefined ? {} : { context_care: data.agent.context_care }),
  };
}

function betasOf(tools: ModelRequest['tools']): string[] {
  const needed = tools.flatMap((tool) => (isProviderTool(tool) ? [PROVIDER_TOOL_BETAS[tool.type]] : []));
  return [...new Set(needed.filter((beta) => beta !== undefined))];
}

/** What rules say of the reply's tool uses. The window is looked at only where a rule asks for it. */
async function judge(
  { policy, sandboxes }: ActivityDeps,
  data: SessionData,
  reply: ModelReply,
): Promise<Decided> {
  const policies = policiesOf(policy, data);
  const definitions = toolDefinitions(data.agent.tools);
  const uses = reply.content.filter((block) => block.type === 'tool_use');
  const facts = uses.flatMap((use) =>
    factsOf({ type: toolFor(definitions, use)?.type ?? '', name: use.name, input: use.input }),
  );
  // Without a sandbox there is no window yet; it is looked at again right before the action.
  const looks = data.sandbox_id !== null && dependsOnWindow(policies, facts);
  const title = looks ? await windowTitle(sandboxes, data.sandbox_id) : null;
  return decideUses(data.agent.tools, uses, policies, title);
}

async function keep(
  deps: ActivityDeps,
  { session, epoch }: RequestModelInput,
  key: string,
  got: { reply: ModelReply; startId: string; shown: number; data: SessionData },
): Promise<RequestModelOutcome> {
  const { reply, startId, shown, data } = got;
  const said = replyEvents(reply, shown, data.agent.tools, await judge(deps, data, reply));
  const waiting = said.flatMap((event, index) => {
    const asks = event.type === 'agent.tool_use' && event.body.evaluated_permission === 'ask';
    return asks || event.type === 'agent.custom_tool_use' ? [eventId(session, key, index)] : [];
  });
  const step = await append(deps.store, {
    session,
    epoch,
    key,
    events: [
      ...said,
      // Marked too: a reply without a word has no other event that says that the user was heard.
      {
        ...modelRequestEnd(startId, spanUsage(reply.usage)),
        internal: { reply: { id: reply.id, cursor: shown } },
      },
      ...(waiting.length === 0 ? [] : [statusIdle(requiresAction(waiting))]),
    ],
    usage: reply.usage,
  });
  return outcomeOf(step.events, reply.stop_reason === 'pause_turn');
}

/** What an earlier attempt of this step appended, if it came that far. */
async function recordedReply(
  { store }: ActivityDeps,
  session: string,
  key: string,
): Promise<RequestModelOutcome | undefined> {
  const first = await store.events.find(session, eventId(session, key, 0));
  if (!first) return undefined;
  const { events } = await append(store, { session, key, events: [] });
  return outcomeOf(events, false);
}

function outcomeOf(events: readonly LogEvent[], goesOn: boolean): RequestModelOutcome {
  if (events.some((event) => event.type === 'session.status_rescheduled'))
    return { type: 'wait', ms: FIRST_WAIT_MS };
  const calls = events.flatMap((event): ToolCall[] => {
    if (event.type === 'agent.tool_use') return [{ id: event.id, decision: event.body.evaluated_permission }];
    return event.type === 'agent.custom_tool_use' ? [{ id: event.id, decision: 'custom' }] : [];
  });
  return calls.length > 0 || goesOn ? { type: 'tools', calls } : { type: 'end' };
}

function kindOf(
  error: ApiError,
): 'model_overloaded_error' | 'model_rate_limited_error' | 'model_request_failed_error' {
  if (error.type === 'overloaded_error') return 'model_overloaded_error';
  return error.type === 'rate_limit_error' ? 'model_rate_limited_error' : 'model_request_failed_error';
}

const replyId = (session: string, step: string): string =>
  `msg_${createHash('sha256').update(`${session}/${step}`).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 24)}`;
