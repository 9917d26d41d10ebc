import type { RecallOutcome, SessionActivities, ToolCall } from '@steadyhand/contracts';
import {
  append,
  logSummary,
  pendingToolUses,
  raiseEpoch,
  readToolAnswers,
  sessionData,
  statusRunning,
} from '@steadyhand/sessions';
import { NotStoredError, type Store } from '@steadyhand/store';
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
  if (record === undefined || record.status === 'terminated') throw new NotStoredError('session', session);
  const epoch = Math.max(own, record.epoch + 1);
  await raiseEpoch(store, session, epoch);
  const { last_message: said, last_interrupt: interrupt, seen: heard } = await logSummary(store, session);
  const { stop_reason } = sessionData(record);
  const resting = record.status === 'idle' && stop_reason?.type !== 'requires_action';
  const rest = resting && said <= Math.max(heard, interrupt);
  const calls = await openCalls(store, session);
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

/** The tool uses without a result, each with what was decided about it. */
async function openCalls(store: Store, session: string): Promise<readonly ToolCall[]> {
  const open = await pendingToolUses(store, session);
  if (open.length === 0) return [];
  const calls = open.map(({ id }) => id);
  const answers = await readToolAnswers(store, session, calls);
  const types = ['sandbox.takeover_ended'];
  const [takeover] = await store.events.read({ session, types, order: 'desc', limit: 1 });
  return open.map((use): ToolCall => {
    const { id } = use;
    if (use.type === 'agent.custom_tool_use') return { id, decision: 'custom' };
    const answer = answers.find(({ call, result }) => call === id && result !== 'own');
    const said = answer?.result === 'deny' ? 'deny' : 'allow';
    const decision = answer === undefined ? use.body.evaluated_permission : said;
    // What was allowed for a screen that a person has changed since is not done.
    const isOutdated = (answer ?? use).seq < (takeover?.seq ?? 0);
    return { id, decision: decision === 'allow' && isOutdated ? 'deny' : decision };
  });
}
