import { NOT_EXECUTED, type RunToolOutcome, type SessionActivities, traced } from '@steadyhand/contracts';
import { guardedAction } from '@steadyhand/sandbox/client';
import {
  factsOf,
  is,
  type LogEvent,
  performedFor,
  performGuarded,
  type PolicyDecision,
  readLog,
  readToolAnswers,
  refusalText,
  type SessionData,
  windowObjection,
} from '@steadyhand/sessions';
import { NotStoredError, type Store } from '@steadyhand/store';
import { policiesOf, readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { final } from './failures.ts';
import { withHeartbeats } from './heartbeats.ts';
import type { ToolUseEnd } from './observer.ts';
import { secretsOf } from './session-secrets.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { recordedOutcome, recordOutcome } from './tool-outcome.ts';

/**
 * Performs a tool use in the session's sandbox. The tool use's id is the key in the sandbox's ledger and in the store's effects:
 * however many attempts come, after whatever crash, it is performed at most once.
 */
export function runTool(deps: ActivityDeps): SessionActivities['runTool'] {
  const { store } = deps;
  return async ({ session, call: toolUse }) =>
    await withHeartbeats(async (signal) => {
      const recorded = await recordedOutcome(store, session, toolUse);
      if (recorded) return { type: recorded.status };
      const [use] = await readLog(store, session, { ids: [toolUse] });
      if (use?.type !== 'agent.tool_use') throw new NotStoredError('effect', toolUse);
      const data = await readSession(store, session);
      const { agent } = data;
      const { name } = use.body;
      const tool = performedFor(agent.tools, use.body);
      if (!tool) throw final('ToolNotFound', new Error(`the agent has no tool '${name}'`));
      const isAsked = use.body.evaluated_permission === 'ask';
      if (isAsked) await requireAllowed(store, session, toolUse);
      if (await comesAfterFailure(store, use)) {
        const refused = { status: 'done', is_error: true, content: NOT_EXECUTED } as const;
        return { type: (await recordOutcome(store, session, toolUse, refused)).status };
      }
      const began = performance.now();
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.tool.call.id': toolUse,
      };
      return await traced(
        deps.tracing,
        `execute_tool ${tool.name}`,
        () => ({ attributes }),
        async (span) => {
          const { end, type } = await perform(deps, { use, data, tool, isAsked }, signal);
          deps.observer?.toolUsed(tool.name, end, (performance.now() - began) / 1000);
          span?.set({ 'steadyhand.tool.end': end });
          return { type };
        },
      );
    });
}

interface AskedUse {
  readonly use: LogEvent<'agent.tool_use'>;
  readonly data: SessionData;
  readonly tool: NonNullable<ReturnType<typeof performedFor>>;
  /** A person was asked, and has allowed it. */
  readonly isAsked: boolean;
}

/** Performs a tool use where the policies let it pass, and records what came of it. */
async function perform(
  deps: ActivityDeps,
  { use, data, tool, isAsked }: AskedUse,
  signal: AbortSignal,
): Promise<{ readonly end: ToolUseEnd; readonly type: RunToolOutcome['type'] }> {
  const { store, sandboxes } = deps;
  const { session, id: toolUse } = use;
  const { input } = use.body;
  const sandbox = await ensureSandbox(deps, session);
  signal.throwIfAborted();
  const secrets = await secretsOf(deps, session, data);
  const given = secrets.length === 0 ? {} : { secrets };
  const request = { key: toolUse, tool, input, ...given };
  const action = guardedAction(sandboxes, sandbox, request, signal);
  const facts = factsOf({ ...tool, input });
  const done = await performGuarded(action, {
    policies: policiesOf(deps.policy, data),
    facts,
    confirmed: isAsked,
    grants: data.log.grants,
    granted: grantOf(use),
    objection: windowObjection(data.secrets ?? [], facts),
  });
  if ('outcome' in done) {
    const { outcome } = done;
    if (outcome.status === 'unknown') return { end: 'unknown', type: 'unknown' };
    const { status } = await recordOutcome(store, session, toolUse, outcome);
    return { end: outcome.status === 'done' && outcome.is_error ? 'error' : outcome.status, type: status };
  }
  const refused =
    'refused' in done
      ? { content: refusalText(done.refused), policy_decision: done.refused }
      : { content: done.objection };
  const { status } = await recordOutcome(store, session, toolUse, {
    status: 'done',
    is_error: true,
    ...refused,
  });
  return { end: 'refused', type: status };
}

/** The state machine's word that a tool use was allowed does not suffice: the answer has to stand in the event log. */
async function requireAllowed(store: Store, session: string, toolUse: string): Promise<void> {
  const [answer] = await readToolAnswers(store, session, [toolUse]);
  if (answer?.result === 'allow') return;
  throw final('NotConfirmed', new Error(`the tool use ${toolUse} was not allowed by anybody`));
}

/** The decision of the grant that let a tool use through; undefined where none was needed. */
function grantOf({ body }: LogEvent<'agent.tool_use'>): PolicyDecision | undefined {
  return body.policy_decision?.source === 'person' ? body.policy_decision : undefined;
}

/** Whether an earlier use of the same toolset in the same reply has failed. */
async function comesAfterFailure(store: Store, use: LogEvent<'agent.tool_use'>): Promise<boolean> {
  const { toolset_name: toolset } = use.body;
  const { reply } = use.internal;
  if (toolset === undefined || reply === undefined) return false;
  const { session, seq } = use;
  // A reply comes after everything that the model was shown for it.
  const between = await readLog(store, session, {
    after: reply.cursor,
    cursor: seq - 1,
    types: ['agent.tool_use'],
  });
  const earlier = between
    .filter(is('agent.tool_use'))
    .filter(({ body, internal }) => body.toolset_name === toolset && internal.reply?.id === reply.id);
  if (earlier.length === 0) return false;
  const refs = earlier.map(({ id }) => id);
  const results = await readLog(store, session, { refs, types: ['agent.tool_result'] });
  return results.filter(is('agent.tool_result')).some(({ body }) => body.is_error);
}

/** Stops the tool use that is running and says whether it was; its output so far becomes its outcome. */
export function interruptTool({ store, sandboxes }: ActivityDeps): SessionActivities['interruptTool'] {
  return async ({ session, call: toolUse }) => {
    const { sandbox_id: sandbox } = await readSession(store, session);
    // Nothing can run in a session without a sandbox.
    return { running: sandbox !== null && (await sandboxes.interrupt(sandbox, toolUse)).running };
  };
}
