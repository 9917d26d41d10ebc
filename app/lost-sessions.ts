import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import {
  append,
  interruptedResult,
  type LogEvent,
  pendingToolUses,
  readLog,
  RETRIES_EXHAUSTED,
  sessionData,
  sessionError,
  statusIdle,
} from '@steadyhand/sessions';
import type { SessionRecord, Store } from '@steadyhand/store';
import type { SessionEvent } from '@steadyhand/workflows';

const PAGE = 100;

/** The sessions that are not at rest: a workflow has to be at work on them, or wait with them for an answer. */
export async function* unrestedSessions(store: Pick<Store, 'sessions'>): AsyncGenerator<SessionRecord> {
  let after: SessionRecord | undefined;
  do {
    const page: readonly SessionRecord[] = await store.sessions.list({
      statuses: ['running', 'rescheduling', 'idle'],
      includeArchived: true,
      order: 'asc',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const record of page) if (!isAtRest(record)) yield record;
    after = page.length < PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
}

function isAtRest(record: SessionRecord): boolean {
  return record.status === 'idle' && sessionData(record).stop_reason?.type !== 'requires_action';
}

/** How the newest run of a session's workflow is. */
export async function workflowStatus(
  client: Client,
  workflowId: string,
): Promise<'running' | 'gone' | 'failed'> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    if (status.name === 'RUNNING') return 'running';
    return status.name === 'FAILED' ? 'failed' : 'gone';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'gone';
    throw error;
  }
}

/**
 * What a workflow is to hear that may have been lost or set back: how far the log is, and the answers of the present turn,
 * which it takes once each however often it hears of them.
 */
export async function reminders(
  store: Store,
  { id, epoch }: SessionRecord,
  told: (event: LogEvent<'user.tool_confirmation' | 'user.custom_tool_result'>) => SessionEvent | undefined,
): Promise<readonly SessionEvent[]> {
  const log = await readLog(store, id, {
    types: ['user.message', 'user.interrupt', 'user.tool_confirmation', 'user.custom_tool_result'],
  });
  const waiting = new Set((await store.events.undelivered(id)).map(({ seq }) => seq));
  const delivered = log.filter(({ seq }) => !waiting.has(seq));
  const isTurn = ({ type }: LogEvent): boolean => type === 'user.message' || type === 'user.interrupt';
  const seq = delivered.findLast(isTurn)?.seq ?? 0;
  const answers = delivered.filter(
    (event): event is LogEvent<'user.tool_confirmation' | 'user.custom_tool_result'> =>
      event.seq > seq && !isTurn(event),
  );
  return [{ type: 'recall', epoch, seq }, ...answers.map(told).filter((event) => event !== undefined)];
}

/** Says of a session that its workflow failed, so that nothing looks as if it went on; its next message begins anew. */
export async function tellBroken(
  store: Store,
  log: Logger,
  { id: session, epoch }: SessionRecord,
): Promise<void> {
  const said = "The session's workflow failed; what it was doing was given up";
  const open = await pendingToolUses(store, session);
  const events = [
    ...open.map((use) => interruptedResult(use.id)),
    sessionError('unknown_error', said, 'exhausted'),
    statusIdle(RETRIES_EXHAUSTED),
  ];
  await append(store, { session, epoch: epoch + 1, key: `broken/${epoch + 1}`, events });
  log.error({ session }, 'the workflow of a session has failed: the session says so and is idle');
}
