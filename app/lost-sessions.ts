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

/** The sessions that are not at rest: each needs a workflow, which works on it or waits for an answer. */
export async function* activeSessions(store: Pick<Store, 'sessions'>): AsyncGenerator<SessionRecord> {
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

/** The status of the newest run of a session's workflow. */
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
 * The events for a workflow that may have been lost or set back: the end of the event log, and the answers of the present turn,
 * each of which has an effect once, however often it is sent.
 */
export async function reminders(
  store: Store,
  { id, epoch }: SessionRecord,
  machineEvent: (
    event: LogEvent<'user.tool_confirmation' | 'user.custom_tool_result'>,
  ) => SessionEvent | undefined,
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
  return [
    { type: 'recall', epoch, seq },
    ...answers.map(machineEvent).filter((event) => event !== undefined),
  ];
}

/** Writes into a session's event log that its workflow failed, so that the session is idle; its next message starts another. */
export async function reportFailedWorkflow(
  store: Store,
  log: Logger,
  { id: session, epoch }: SessionRecord,
): Promise<void> {
  const message = "The session's workflow failed; what it was doing was given up";
  const open = await pendingToolUses(store, session);
  const events = [
    ...open.map((use) => interruptedResult(use.id)),
    sessionError('unknown_error', message, 'exhausted'),
    statusIdle(RETRIES_EXHAUSTED),
  ];
  await append(store, { session, epoch: epoch + 1, key: `broken/${epoch + 1}`, events });
  log.error({ session }, 'the workflow of a session has failed: the session says so and is idle');
}
