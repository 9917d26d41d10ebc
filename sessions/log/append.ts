import { defined } from '@steadyhand/messages';
import {
  type Appended,
  CursorMovedError,
  type Json,
  type SessionRecord,
  type Store,
  type StoredEvent,
} from '@steadyhand/store';
import { type LogEvent, type NewEvent, type StopReason } from '../events/types.ts';
import {
  dataOf,
  type SessionData,
  type SessionStatus,
  toJson,
  withLog,
  withStatus,
} from '../record/session-data.ts';
import { addUsage, type ReplyUsage, totalTokens, type UsageSum } from '../record/usage.ts';
import { putAndName, storeBytes } from './blob-sources.ts';
import { fromStored, toStored } from '../events/log-event.ts';

/** What one step adds to a session: events and the changes of its record that follow from them, all or nothing. */
interface AppendStep {
  readonly session: string;
  /** Names the step within the session. A recorded key appends nothing and answers what was recorded. */
  readonly key: string;
  /** The fencing token of the run: a lower one than the session's throws StaleEpochError, a higher one takes over. */
  readonly epoch?: number;
  /** Status events (`session.status_*`) set the record's status and stop reason too. */
  readonly events: readonly NewEvent[];
  /** The usage of a model reply. It is added to the sums, and the reply is counted. */
  readonly usage?: ReplyUsage;
  readonly sandboxId?: string | null;
  /** The step's outcome, recorded with its events; a retry answers it. */
  readonly outcome?: Json;
  /**
   * The seq up to which the log was read to decide the step. Throws CursorMovedError when the log does not end there.
   */
  readonly expectCursor?: number;
}

interface StepResult {
  /** The log's last seq right after this step, even on a retry. */
  readonly cursor: number;
  /** True when the key was recorded before; `events` are then the recorded ones. */
  readonly duplicate: boolean;
  /** The appended events, without results for tool uses that already had one: the first result stands. */
  readonly events: readonly LogEvent[];
  /** The outcome that was recorded with the step; null when it has none. */
  readonly outcome: Json;
  /** The session's sums as they are now. */
  readonly usage: UsageSum;
  readonly tokens: number;
  readonly turns: number;
}

const STATUS_OF: Partial<Record<NewEvent['type'], SessionStatus>> = {
  'session.status_running': 'running',
  'session.status_idle': 'idle',
  'session.status_rescheduled': 'rescheduling',
  'session.status_terminated': 'terminated',
};

/**
 * Appends a step's events to the session's event log and updates its record in the same transaction.
 * @throws {NotStoredError} for an unknown session
 * @throws {StaleEpochError} when another run has taken over
 * @throws {CursorMovedError} when the log does not end at `expectCursor`
 * @example
 * await append(store, { session, key: 'step/1.1', epoch: 1, events: [statusRunning()] });
 */
export async function append(store: Store, step: AppendStep): Promise<StepResult> {
  return putAndName(
    () => Promise.all(step.events.map((event) => storeBytes(store.blobs, event))),
    (events) => appendStored(store, step, events),
  );
}

async function appendStored(
  store: Store,
  step: AppendStep,
  events: readonly Awaited<ReturnType<typeof storeBytes>>[],
): Promise<StepResult> {
  for (;;) {
    const answered = await alreadyAnswered(store, step);
    const kept = events
      .map((event, index) => ({ ...toStored(event), index }))
      .filter(({ type, ref }) => type !== 'agent.tool_result' || ref == null || !answered.results.has(ref));
    const expectCursor = step.expectCursor ?? answered.cursor;
    try {
      const appended = await store.events.append({
        session: step.session,
        key: step.key,
        events: kept,
        ...defined({ epoch: step.epoch, expectCursor, outcome: step.outcome }),
        essential: isEssential(step.events),
        update: (record, added) => changeOf(record, step, added),
      });
      return resultOf(appended);
    } catch (error) {
      // Something was appended since the log was read, so it is read again.
      if (!(error instanceof CursorMovedError) || step.expectCursor !== undefined) throw error;
    }
  }
}

/** What a step has recorded; undefined when it was not appended. */
export async function recordedStep(
  store: Store,
  session: string,
  key: string,
): Promise<StepResult | undefined> {
  const recorded = await store.events.recorded(session, key);
  return recorded === undefined ? undefined : resultOf(recorded);
}

function resultOf(appended: Appended): StepResult {
  const { usage, turns } = dataOf(appended.record);
  return {
    cursor: appended.cursor,
    duplicate: appended.duplicate,
    events: appended.events.map(fromStored),
    outcome: appended.outcome,
    usage,
    tokens: totalTokens(usage),
    turns,
  };
}

/** Whether all events are of the kinds by which a step ends. Only these are written while the disk is full. */
function isEssential(events: readonly NewEvent[]): boolean {
  return events.every(
    (event) =>
      event.type === 'session.error' ||
      event.type === 'session.status_idle' ||
      event.type === 'session.status_terminated' ||
      event.type === 'span.model_request_end' ||
      (event.type === 'agent.tool_result' && event.body.is_error === true),
  );
}

/** The tool uses of this step's results that have a result already, and the cursor at which that was read. */
async function alreadyAnswered(
  store: Store,
  { session, events }: AppendStep,
): Promise<{ readonly results: ReadonlySet<string>; readonly cursor?: number }> {
  const refs = events.flatMap((event) =>
    event.type === 'agent.tool_result' ? [event.body.tool_use_id] : [],
  );
  if (refs.length === 0) return { results: new Set() };
  const record = await store.sessions.get(session);
  const found = await store.events.read({
    session,
    refs,
    types: ['agent.tool_result', 'user.custom_tool_result'],
  });
  return {
    results: new Set(found.flatMap(({ ref }) => (ref === null ? [] : [ref]))),
    ...(record === undefined ? {} : { cursor: record.cursor }),
  };
}

/** The change of the session's record that follows from a step; `added` are its events as they are stored. */
export function changeOf(
  record: SessionRecord,
  step: Pick<AppendStep, 'events' | 'usage' | 'sandboxId'>,
  added: readonly StoredEvent[],
): { status: string; data: ReturnType<typeof toJson> } {
  let { status } = record;
  let data: SessionData = withLog(dataOf(record), added);
  for (const event of step.events) {
    const next = STATUS_OF[event.type];
    if (next === undefined) continue;
    status = next;
    data = withStatus(data, next, record.updated_at, stopReasonOf(event));
  }
  if (step.usage !== undefined) {
    data = { ...data, usage: addUsage(data.usage, step.usage), turns: data.turns + 1 };
  }
  if (step.sandboxId !== undefined) data = { ...data, sandbox_id: step.sandboxId };
  return { status, data: toJson(data) };
}

function stopReasonOf(event: NewEvent): StopReason | null {
  return event.type === 'session.status_idle' ? event.body.stop_reason : null;
}

/** Raises the session's epoch, so that every run with a lower one is refused. */
export async function raiseEpoch(store: Store, session: string, epoch: number): Promise<void> {
  await store.events.append({ session, key: `epoch/${epoch}`, events: [], epoch });
}

/** Reads a session's event log, or a part of it. A long log should be read by ids, refs, or after a seq. */
export async function readLog(
  store: Store,
  session: string,
  options: {
    readonly cursor?: number;
    readonly after?: number;
    readonly types?: readonly LogEvent['type'][];
    readonly ids?: readonly string[];
    readonly refs?: readonly string[];
  } = {},
): Promise<readonly LogEvent[]> {
  const stored = await store.events.read({
    session,
    ...(options.cursor === undefined ? {} : { before: options.cursor + 1 }),
    ...defined({ after: options.after, types: options.types, ids: options.ids, refs: options.refs }),
  });
  return stored.map(fromStored);
}
