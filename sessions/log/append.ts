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

/** What one step of a session adds to it: events, and what follows from them for its record. All of it or nothing. */
export interface AppendStep {
  readonly session: string;
  /** Names the step within the session. The same key appends nothing and answers what was recorded. */
  readonly key: string;
  /** Fencing token of the run; a lower one than the session has seen throws StaleEpochError, a higher one takes over. */
  readonly epoch?: number;
  /** Status events (`session.status_*`) set the record's status and stop reason too. */
  readonly events: readonly NewEvent[];
  /** One model reply's usage: added to the sums, and one more turn counted. */
  readonly usage?: ReplyUsage;
  readonly sandboxId?: string | null;
  /** What came of the step, recorded with its events: a retry answers with it. */
  readonly outcome?: Json;
  /** Throws CursorMovedError when the log does not end here: the step was decided on what the log held up to this seq. */
  readonly expectCursor?: number;
}

export interface StepResult {
  /** The log's last seq right after this step, also on a retry. */
  readonly cursor: number;
  /** True when the key was recorded before; `events` are the recorded ones then. */
  readonly duplicate: boolean;
  /** Results of tool uses that already had one are left out: the first result stands. */
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
 * Appends a step's events to the session's log and brings its record up to date in the same transaction.
 * Throws NotStoredError for an unknown session, StaleEpochError when another run has taken over, and CursorMovedError as `expectCursor` says.
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
        ...(step.epoch === undefined ? {} : { epoch: step.epoch }),
        ...(expectCursor === undefined ? {} : { expectCursor }),
        ...(step.outcome === undefined ? {} : { outcome: step.outcome }),
        essential: isEssential(step.events),
        update: (record, added) => changeOf(record, step, added),
      });
      return resultOf(appended);
    } catch (error) {
      // Somebody appended between the look and the append: look again.
      if (!(error instanceof CursorMovedError) || step.expectCursor !== undefined) throw error;
    }
  }
}

/** What a step has recorded; undefined when it has not been taken. */
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

/** What a step that gives up has to say. A disk without room takes this and nothing else. */
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

/** Which of the tool uses that this step would answer have a result; with the cursor at which that was so. */
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

/** What follows from a step's events for the session's record; `added` are those that it appends, as they are stored. */
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

/** Makes an epoch the session's own, so that every run with a lower one is refused from now on. */
export async function raiseEpoch(store: Store, session: string, epoch: number): Promise<void> {
  await store.events.append({ session, key: `epoch/${epoch}`, events: [], epoch });
}

/** The session's log up to a cursor, or all of it; a long one is better asked for by ids, refs or what comes after a seq. */
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
    ...(options.after === undefined ? {} : { after: options.after }),
    ...(options.types === undefined ? {} : { types: options.types }),
    ...(options.ids === undefined ? {} : { ids: options.ids }),
    ...(options.refs === undefined ? {} : { refs: options.refs }),
  });
  return stored.map(fromStored);
}
