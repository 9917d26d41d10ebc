import {
  append,
  BUDGET_REACHED,
  END_TURN,
  heal,
  readLog,
  RETRIES_EXHAUSTED,
  sessionError,
  statusIdle,
  statusRunning,
  type LogEvent,
} from '../sessions/index.ts';
import type { SessionActivities, TurnEnd } from './contract.ts';
import { collectOutputs } from './collect-outputs.ts';
import type { ActivityDeps } from './deps.ts';
import { appendNetworkEvents } from './network-events.ts';
import { toFailure } from './failures.ts';
import { stepKey } from './step-key.ts';

/** The beginning and the end of a session's turns, in its log and its record. */
export function turns(deps: ActivityDeps): Pick<SessionActivities, 'resumeTurn' | 'endTurn' | 'failTurn'> {
  const { store } = deps;
  return {
    resumeTurn: (ref, invocation) =>
      typed(async () => {
        await append(store, { ...ref, key: stepKey(invocation), events: [statusRunning()] });
      }),

    endTurn: ({ session, epoch, reason }, invocation) =>
      typed(async () => {
        await appendNetworkEvents(deps, session);
        await collectOutputs(deps, session);
        const log = await readLog(store, session);
        const goesOn = reason !== 'limit' && isUnanswered(log, reason);
        const idle = statusIdle(reason === 'limit' ? BUDGET_REACHED : END_TURN);
        await heal(store, { session, epoch, key: stepKey(invocation), also: goesOn ? [] : [idle] });
        return { type: goesOn ? 'more' : 'idle', cursor: log.at(-1)?.seq ?? 0 };
      }),

    failTurn: ({ session, epoch, error }, invocation) =>
      typed(async () => {
        await appendNetworkEvents(deps, session);
        await collectOutputs(deps, session);
        const also = [
          sessionError(kindOf(error.type), error.message, 'exhausted'),
          statusIdle(RETRIES_EXHAUSTED),
        ];
        await heal(store, { session, epoch, key: stepKey(invocation), also });
      }),
  };
}

/** Whether a user message waits for an answer: one that no reply has seen and that no interrupt came after. */
function isUnanswered(log: readonly LogEvent[], reason: TurnEnd): boolean {
  const seen = Math.max(0, ...log.map((event) => event.internal.reply?.cursor ?? 0));
  const interrupted = reason === 'interrupted' ? lastOf(log, 'user.interrupt') : 0;
  return lastOf(log, 'user.message') > Math.max(seen, interrupted);
}

function lastOf(log: readonly LogEvent[], type: LogEvent['type']): number {
  return log.findLast((event) => event.type === type)?.seq ?? 0;
}

function kindOf(type: string | null): 'unknown_error' | 'model_request_failed_error' {
  return type !== null && type.endsWith('_error') ? 'model_request_failed_error' : 'unknown_error';
}

async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error);
  }
}
