import type { SessionActivities, ToolCall } from '@steadyhand/contracts';
import {
  append,
  logSummary,
  pendingToolUses,
  raiseEpoch,
  readToolAnswers,
  sessionData,
  statusRunning,
} from '@steadyhand/sessions';
import { type Store, stored } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

/**
 * Tells a workflow that follows a lost one, or that was set back, where the event log stands. It takes the session over first,
 * so that no earlier workflow appends anything any more. Tool uses without a result are given with what was decided about them:
 * each is performed under its id, at most once, whoever asks for it again.
 */
export function recall({ store }: ActivityDeps): SessionActivities['recall'] {
  return async ({ session, epoch: own }) => {
    const record = stored(await store.sessions.get(session), 'session', session);
    const { stop_reason, log } = sessionData(record);
    if (record.status === 'terminated') {
      // A session that has ended has nothing to go on with, so its workflow rests until it is ended too.
      const seen = Math.max(log.last_message, log.last_interrupt);
      return { epoch: own, rest: true, interrupted: false, calls: [], message: log.last_message, seen };
    }
    const epoch = Math.max(own, record.epoch + 1);
    await raiseEpoch(store, session, epoch);
    const { last_message: message, last_interrupt: interrupt, seen } = await logSummary(store, session);
    const isAtRest = record.status === 'idle' && stop_reason?.type !== 'requires_action';
    const rest = isAtRest && message <= Math.max(seen, interrupt);
    const calls = await openToolUses(store, session);
    if (!rest && record.status === 'idle' && !calls.some(isUndecided)) {
      await append(store, { session, epoch, key: `recall/${epoch}`, events: [statusRunning()] });
    }
    const interrupted = interrupt > message;
    return { epoch, rest, interrupted, calls, message, seen: Math.max(message, interrupt) };
  };
}

const isUndecided = ({ decision }: ToolCall): boolean => decision === 'ask' || decision === 'custom';

/** The tool uses without a result, each with what was decided about it. */
async function openToolUses(store: Store, session: string): Promise<readonly ToolCall[]> {
  const open = await pendingToolUses(store, session);
  if (open.length === 0) return [];
  const answers = await readToolAnswers(
    store,
    session,
    open.map(({ id }) => id),
  );
  const types = ['sandbox.takeover_ended'];
  const [takeover] = await store.events.read({ session, types, order: 'desc', limit: 1 });
  return open.map((use): ToolCall => {
    const { id } = use;
    if (use.type === 'agent.custom_tool_use') return { id, decision: 'custom' };
    const answer = answers.find(({ call, result }) => call === id && result !== 'own');
    const answered = answer?.result === 'deny' ? 'deny' : 'allow';
    const decision = answer === undefined ? use.body.evaluated_permission : answered;
    // A tool use that was allowed for a screen that a person has changed since is not performed.
    const isOutdated = (answer ?? use).seq < (takeover?.seq ?? 0);
    return { id, decision: decision === 'allow' && isOutdated ? 'deny' : decision };
  });
}
