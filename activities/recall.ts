import {
  append,
  pendingToolUses,
  raiseEpoch,
  readLog,
  sessionData,
  statusRunning,
  type LogEvent,
} from '../sessions/index.ts';
import { NotStored, type Store } from '../store/index.ts';
import type { RecallOutcome, SessionActivities, ToolCall } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { toFailure } from './failures.ts';

/**
 * Tells a workflow that follows a lost one, or one that was set back, where the log stands. It takes the session over first,
 * so that nothing is appended any more for a workflow before it. Tool uses without a result are told as they were decided:
 * each is performed under its id, at most once, whoever asks for it again.
 */
export function recall({ store }: ActivityDeps): SessionActivities['recall'] {
  return async ({ session, epoch }) => {
    try {
      return await standing(store, session, epoch);
    } catch (error) {
      throw toFailure(error);
    }
  };
}

async function standing(store: Store, session: string, own: number): Promise<RecallOutcome> {
  const record = await store.sessions.get(session);
  // One that is being deleted has nothing to go on with.
  if (record === undefined || record.status === 'terminated') throw new NotStored('session', session);
  const epoch = Math.max(own, record.epoch + 1);
  await raiseEpoch(store, session, epoch);
  const log = await readLog(store, session);
  const said = lastOf(log, 'user.message');
  const interrupt = lastOf(log, 'user.interrupt');
  const { stop_reason } = sessionData(record);
  const resting = record.status === 'idle' && stop_reason?.type !== 'requires_action';
  const heard = Math.max(0, ...log.map(({ internal }) => internal.reply?.cursor ?? 0));
  const rest = resting && said <= Math.max(heard, interrupt);
  const calls = pendingToolUses(log).map((use) => decided(use, log));
  if (!rest && record.status === 'idle' && !calls.some(waits)) {
    await append(store, { session, epoch, key: `recall/${epoch}`, events: [statusRunning()] });
  }
  return {
    epoch,
    rest,
    interrupted: interrupt > said,
    calls,
    message: said,
    seen: Math.max(said, interrupt),
  };
}

const waits = ({ decision }: ToolCall): boolean => decision === 'ask' || decision === 'custom';

function decided(
  use: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>,
  log: readonly LogEvent[],
): ToolCall {
  const { id } = use;
  if (use.type === 'agent.custom_tool_use') return { id, decision: 'custom' };
  const answer = log.find(
    (event): event is LogEvent<'user.tool_confirmation'> =>
      event.type === 'user.tool_confirmation' && event.body.tool_use_id === id,
  );
  const decision = answer?.body.result ?? use.body.evaluated_permission;
  // What was allowed for a screen that a person has changed since is not done.
  const outdated = (answer ?? use).seq < lastOf(log, 'sandbox.takeover_ended');
  return { id, decision: decision === 'allow' && outdated ? 'deny' : decision };
}

function lastOf(log: readonly LogEvent[], type: LogEvent['type']): number {
  return log.findLast((event) => event.type === type)?.seq ?? 0;
}
