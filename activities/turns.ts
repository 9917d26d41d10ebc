import type {
  EndTurnInput,
  EndTurnOutcome,
  FailTurnInput,
  SessionActivities,
  SessionRef,
  ToolAnswer,
  TurnEnd,
} from '@steadyhand/contracts';
import {
  append,
  BUDGET_REACHED,
  END_TURN,
  endOfOpenRequest,
  interruptedResult,
  logSummary,
  type LogSummary,
  type NewEvent,
  readToolAnswers,
  recordedStep,
  refusedTurn,
  RETRIES_EXHAUSTED,
  sessionError,
  statusIdle,
  statusRunning,
} from '@steadyhand/sessions';
import { CursorMovedError } from '@steadyhand/store';
import { collectOutputs, SHORT_IDLE_TIMEOUT_MS } from './collect-outputs.ts';
import type { ActivityDeps } from './deps.ts';
import { appendNetworkEvents } from './network-events.ts';
import { readSession } from './session-data.ts';
import { stepKey } from './step-key.ts';

/** The activities that resume and end a session's turns, in its event log and its record. */
export function turns(deps: ActivityDeps): Pick<SessionActivities, 'resumeTurn' | 'endTurn' | 'failTurn'> {
  const { store } = deps;
  return {
    async resumeTurn(input, invocation) {
      const { session, epoch, calls: toolUses, outdatedUpTo } = input;
      const stored = await readToolAnswers(store, session, toolUses);
      const answers = stored.map(({ call, result, seq }): ToolAnswer => {
        const isOutdated = result === 'allow' && seq <= outdatedUpTo;
        return { call, result: isOutdated ? 'outdated' : result };
      });
      const waits = answers.length < toolUses.length;
      const isRunning = (await readSession(store, session)).running_since !== null;
      if (!waits && !isRunning) {
        const key = stepKey(input, invocation);
        await append(store, { session, epoch, key, events: [statusRunning()] });
      }
      return { answers };
    },

    endTurn: (input, invocation) =>
      leaveTurn(deps, input, stepKey(input, invocation), input.reason === 'interrupted', (log) => {
        const goesOn = input.reason !== 'limit' && isUnanswered(log, input.reason);
        return { goesOn, events: goesOn ? [] : [idleAfter(input)] };
      }),

    failTurn: (input, invocation) =>
      leaveTurn(deps, input, stepKey(input, invocation), true, (log) => {
        const goesOn = log.last_message > input.message;
        const error = sessionError(sessionErrorType(input.error.type), input.error.message, 'exhausted');
        return { goesOn, events: goesOn ? [error] : [error, statusIdle(RETRIES_EXHAUSTED)] };
      }),
  };
}

/** Decides from the log as it is how a turn ends. */
type Decide = (log: LogSummary) => {
  /** A user message waits, so the session stays running. */
  readonly goesOn: boolean;
  readonly events: readonly NewEvent[];
};

/**
 * Ends a turn: answers open tool uses, fences late writers and appends what is decided. The decision is taken again when the
 * log has grown since, so that no session becomes idle with a message that nobody has answered.
 */
async function leaveTurn(
  deps: ActivityDeps,
  { session, epoch }: SessionRef,
  key: string,
  isUrgent: boolean,
  decide: Decide,
): Promise<EndTurnOutcome> {
  const { store } = deps;
  const recorded = await recordedStep(store, session, key);
  if (recorded !== undefined) return recorded.outcome as unknown as EndTurnOutcome;
  await appendNetworkEvents(deps, session);
  await collectOutputs(deps, session, isUrgent ? SHORT_IDLE_TIMEOUT_MS : undefined);
  for (;;) {
    const log = await logSummary(store, session);
    const { cursor } = log;
    const { goesOn, events } = decide(log);
    const outcome: EndTurnOutcome = { type: goesOn ? 'more' : 'idle', cursor };
    const open = log.open_tool_uses.map((toolUse) => interruptedResult(toolUse));
    try {
      const step = await append(store, {
        session,
        epoch,
        key,
        events: [...open, ...(await endOfOpenRequest(store, session)), ...events],
        outcome: { ...outcome },
        expectCursor: cursor,
      });
      return step.outcome as unknown as EndTurnOutcome;
    } catch (error) {
      // Something was appended since the log was read, perhaps a message: read it again.
      if (!(error instanceof CursorMovedError)) throw error;
    }
  }
}

function idleAfter({ reason, refusal }: EndTurnInput): NewEvent {
  if (reason === 'refusal') return refusedTurn(refusal);
  return statusIdle(reason === 'limit' ? BUDGET_REACHED : END_TURN);
}

/** Whether a user message waits for an answer: no reply has seen it, and no interrupt came after it. */
function isUnanswered({ last_message, last_interrupt, seen }: LogSummary, reason: TurnEnd): boolean {
  return last_message > Math.max(seen, reason === 'interrupted' ? last_interrupt : 0);
}

function sessionErrorType(
  type: FailTurnInput['error']['type'],
): 'unknown_error' | 'model_request_failed_error' {
  return type !== null && type.endsWith('_error') ? 'model_request_failed_error' : 'unknown_error';
}
