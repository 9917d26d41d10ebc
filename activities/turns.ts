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
import { collectOutputs, SHORT_SILENCE_MS } from './collect-outputs.ts';
import type { ActivityDeps } from './deps.ts';
import { toFailure } from './failures.ts';
import { appendNetworkEvents } from './network-events.ts';
import { readSession } from './session-data.ts';
import { stepKey } from './step-key.ts';

/** The beginning and the end of a session's turns, in its log and its record. */
export function turns(deps: ActivityDeps): Pick<SessionActivities, 'resumeTurn' | 'endTurn' | 'failTurn'> {
  const { store } = deps;
  return {
    resumeTurn: (input, invocation) =>
      typed(async () => {
        const { session, epoch, calls, outdatedUpTo } = input;
        const stored = await readToolAnswers(store, session, calls);
        const answers = stored.map(({ call, result, seq }): ToolAnswer => {
          const isOutdated = result === 'allow' && seq <= outdatedUpTo;
          return { call, result: isOutdated ? 'outdated' : result };
        });
        const waits = answers.length < calls.length;
        const isRunning = (await readSession(store, session)).running_since !== null;
        if (!waits && !isRunning) {
          await append(store, {
            session,
            epoch,
            key: stepKey(input, invocation),
            events: [statusRunning()],
          });
        }
        return { answers };
      }),

    endTurn: (input, invocation) =>
      typed(() =>
        leaveTurn(deps, input, stepKey(input, invocation), input.reason === 'interrupted', (log) => {
          const goesOn = input.reason !== 'limit' && isUnanswered(log, input.reason);
          return { goesOn, events: goesOn ? [] : [idleAfter(input)] };
        }),
      ),

    failTurn: (input, invocation) =>
      typed(() =>
        leaveTurn(deps, input, stepKey(input, invocation), true, (log) => {
          const goesOn = log.last_message > input.message;
          const told = sessionError(kindOf(input.error.type), input.error.message, 'exhausted');
          return { goesOn, events: goesOn ? [told] : [told, statusIdle(RETRIES_EXHAUSTED)] };
        }),
      ),
  };
}

/** What a turn's end says, decided from the log as it is. */
type Leaving = (log: LogSummary) => {
  /** A user message waits: the session stays running. */
  readonly goesOn: boolean;
  readonly events: readonly NewEvent[];
};

/**
 * Ends a turn: answers open tool uses, fences late writers and appends what is decided. What is decided holds for the log that
 * it was decided on: a message that comes in between is seen, so that no session rests that was just spoken to.
 */
async function leaveTurn(
  deps: ActivityDeps,
  { session, epoch }: SessionRef,
  key: string,
  isHasty: boolean,
  leaving: Leaving,
): Promise<EndTurnOutcome> {
  const { store } = deps;
  const recorded = await recordedStep(store, session, key);
  if (recorded !== undefined) return recorded.outcome as unknown as EndTurnOutcome;
  await appendNetworkEvents(deps, session);
  await collectOutputs(deps, session, isHasty ? SHORT_SILENCE_MS : undefined);
  for (;;) {
    const log = await logSummary(store, session);
    const { cursor } = log;
    const { goesOn, events } = leaving(log);
    const outcome: EndTurnOutcome = { type: goesOn ? 'more' : 'idle', cursor };
    const open = log.open_tool_uses.map((id) => interruptedResult(id));
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
      // Something was appended since the look, perhaps a message: look again.
      if (!(error instanceof CursorMovedError)) throw error;
    }
  }
}

function idleAfter({ reason, refusal }: EndTurnInput): NewEvent {
  if (reason === 'refusal') return refusedTurn(refusal);
  return statusIdle(reason === 'limit' ? BUDGET_REACHED : END_TURN);
}

/** Whether a user message waits for an answer: one that no reply has seen and that no interrupt came after. */
function isUnanswered({ last_message, last_interrupt, seen }: LogSummary, reason: TurnEnd): boolean {
  return last_message > Math.max(seen, reason === 'interrupted' ? last_interrupt : 0);
}

function kindOf(type: FailTurnInput['error']['type']): 'unknown_error' | 'model_request_failed_error' {
  return type !== null && type.endsWith('_error') ? 'model_request_failed_error' : 'unknown_error';
}

async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error);
  }
}
