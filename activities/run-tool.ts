import {
  type ActionOutcome,
  type GuardedAction,
  isSandboxError,
  NOT_EXECUTED,
  type SessionActivities,
  traced,
} from '@steadyhand/contracts';
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
import { formerOutcome, lostOutcome } from './lost-computer.ts';
import { beginOn, isSameComputer, type SessionComputer } from './session-computer.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { readToolEffect, recordOutcome } from './tool-outcome.ts';

/**
 * Performs a tool use in the session's sandbox. The tool use's id is the key in the sandbox's ledger and in the store's effects:
 * however many attempts come, after whatever crash, it is performed at most once, and never on another computer than the one
 * that it was given to.
 */
export function runTool(deps: ActivityDeps): SessionActivities['runTool'] {
  const { store } = deps;
  return async ({ session, call: toolUse }) =>
    await withHeartbeats(async (signal) => {
      const { recorded, given } = await readToolEffect(store, session, toolUse);
      if (recorded) return { type: recorded.status };
      const [use] = await readLog(store, session, { ids: [toolUse] });
      if (use?.type !== 'agent.tool_use') throw new NotStoredError('effect', toolUse);
      const data = await readSession(store, session);
      const { name } = use.body;
      const tool = performedFor(data.agent.tools, use.body);
      if (!tool) throw final('ToolNotFound', new Error(`the agent has no tool '${name}'`));
      if (use.body.evaluated_permission === 'ask') await requireAllowed(store, session, toolUse);
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
          const { end, outcome } = await outcomeOf(deps, { use, tool, data, given, signal });
          deps.observer?.toolUsed(tool.name, end, (performance.now() - began) / 1000);
          span?.set({ 'steadyhand.tool.end': end });
          if (outcome.status === 'unknown') return { type: 'unknown' };
          return { type: (await recordOutcome(store, session, toolUse, outcome)).status };
        },
      );
    });
}

interface PreparedUse {
  readonly use: LogEvent<'agent.tool_use'>;
  readonly tool: NonNullable<ReturnType<typeof performedFor>>;
  readonly data: SessionData;
  /** The computer that an earlier attempt gave it to. */
  readonly given: SessionComputer | null;
  readonly signal: AbortSignal;
}

interface Ended {
  readonly end: ToolUseEnd;
  readonly outcome: ActionOutcome & { readonly policy_decision?: PolicyDecision };
}

function endOf(outcome: ActionOutcome): Ended {
  const isError = outcome.status === 'done' && outcome.is_error;
  return { end: isError ? 'error' : outcome.status, outcome };
}

/** The outcome of a tool use on the session's computer; when that was lost, the outcome says so. */
async function outcomeOf(deps: ActivityDeps, prepared: PreparedUse): Promise<Ended> {
  const { store } = deps;
  const { use, given, signal } = prepared;
  try {
    const computer = await ensureSandbox(deps, use.session, signal);
    signal.throwIfAborted();
    if (given !== null && !isSameComputer(given, computer)) return endOf(formerOutcome(given, computer));
    return await performOn(computer, deps, prepared);
  } catch (error) {
    if (!isSandboxError(error, 'lost')) throw error;
    return endOf(await lostOutcome(store, use.session, use.id, error));
  }
}

async function performOn(
  computer: SessionComputer,
  deps: ActivityDeps,
  { use, tool, data, signal }: PreparedUse,
): Promise<Ended> {
  const { store, sandboxes } = deps;
  const { session, id: toolUse } = use;
  const { input } = use.body;
  const secrets = await secretsOf(deps, session, data);
  const request = { key: toolUse, tool, input, ...(secrets.length === 0 ? {} : { secrets }) };
  const action = guardedAction(sandboxes, computer.id, request, signal);
  const facts = factsOf({ ...tool, input });
  const guarded: GuardedAction<ActionOutcome> = {
    ...action,
    perform: async (title) => {
      const given = await beginOn(store, session, toolUse, computer);
      return given === null || isSameComputer(given, computer)
        ? action.perform(title)
        : formerOutcome(given, computer);
    },
  };
  const done = await performGuarded(guarded, {
    policies: policiesOf(deps.policy, data),
    facts,
    confirmed: use.body.evaluated_permission === 'ask',
    grants: data.log.grants,
    granted: grantOf(use),
    objection: windowObjection(data.secrets ?? [], facts),
  });
  if ('outcome' in done) return endOf(done.outcome);
  const refused =
    'refused' in done
      ? { content: refusalText(done.refused), policy_decision: done.refused }
      : { content: done.objection };
  return { end: 'refused', outcome: { status: 'done', is_error: true, ...refused } };
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
