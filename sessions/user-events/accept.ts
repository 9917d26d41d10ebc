import {
  canonicalJson,
  CursorMovedError,
  type NewStoredEvent,
  type Store,
  type StoredEvent,
} from '@steadyhand/store';
import { changeOf } from '../log/append.ts';
import { putAndName, storeBytes } from '../log/blob-sources.ts';
import { fromStored, storedForDelivery, toStored } from '../events/log-event.ts';
import { awaitingConfirmation, pendingToolUses } from '../log/pending.ts';
import { requireRunnable } from '../environments/environments.ts';
import { dataOf, requireSession } from '../record/session-data.ts';
import { ConflictError, InvalidRequestError } from '../api/validate.ts';
import { statusOnAccept } from './status-on-accept.ts';
import { is, type LogEvent } from '../events/types.ts';
import { checkGrants } from './check-grants.ts';
import { USER_EVENT_TYPES, type UserEvent, type UserEventType } from './user-events.ts';

export type UserLogEvent = LogEvent<UserEventType>;

/**
 * Appends a client's events and puts them into the outbox, in one transaction: once this resolves, they will be
 * delivered to the session's workflow, even after a crash. The resulting status is set in the same transaction, so that
 * later readers find the session running.
 *
 * @param key names the request; a retry with the same key and events answers what was recorded, and other events are
 *   refused
 * @throws {NotFoundError} for an unknown session
 * @throws {ConflictError} for an archived or terminated session, or a key that was used for other events
 * @throws {InvalidRequestError} for an answer to a tool use that does not wait for it, a grant that does
 *   not cover its tool use or is not held, or for a session whose tools this server does not run
 */
export async function acceptUserEvents(
  store: Store,
  session: string,
  events: readonly UserEvent[],
  key: string,
): Promise<readonly UserLogEvent[]> {
  return putAndName(
    async () =>
      (await Promise.all(events.map((event) => storeBytes(store.blobs, event)))).map(storedForDelivery),
    (stored) => acceptStored(store, session, events, { stored, key }),
  );
}

async function acceptStored(
  store: Store,
  session: string,
  events: readonly UserEvent[],
  { stored, key }: { readonly stored: readonly NewStoredEvent[]; readonly key: string },
): Promise<readonly UserLogEvent[]> {
  for (;;) {
    const known = await store.events.recorded(session, key);
    if (known !== undefined) return repeated(known.events, stored);
    const record = await requireSession(store, session);
    if (record.archived_at !== null) throw new ConflictError(`Session ${session} is archived`);
    if (record.status === 'terminated') throw new ConflictError(`Session ${session} is terminated`);
    // An interrupt is accepted for any environment, as it only stops a turn.
    if (events.some(({ type }) => type !== 'user.interrupt'))
      await requireRunnable(store, dataOf(record).environment_id);
    await checkAnswers(store, session, events);
    await checkGrants(store, record, events);
    const status = statusOnAccept(record, events);
    const entered = status === undefined ? [] : [status];
    try {
      const appended = await store.events.append({
        session,
        key,
        events: [...stored, ...entered.map(toStored)],
        expectCursor: record.cursor,
        essential: events.every(({ type }) => type === 'user.interrupt' || type === 'user.grant_withdrawn'),
        update: (current, added) => changeOf(current, { events: entered }, added),
      });
      return appended.events.map(fromStored).filter(isUserEvent);
    } catch (error) {
      // The log has grown since it was read, so the answers have to be checked again.
      if (!(error instanceof CursorMovedError)) throw error;
    }
  }
}

/** The recorded events of a repeated request. Other events under its key are a client's mistake. */
function repeated(known: readonly StoredEvent[], asked: readonly NewStoredEvent[]): readonly UserLogEvent[] {
  const content = (events: readonly NewStoredEvent[]): string =>
    canonicalJson(events.map(({ type, payload }) => ({ type, payload })));
  // The recorded events end with the status that the request led to.
  if (content(known.filter(({ type }) => !type.startsWith('session.'))) !== content(asked))
    throw new ConflictError('The idempotency key was used for another request');
  return known.map(fromStored).filter(isUserEvent);
}

const isUserEvent = is(...USER_EVENT_TYPES);

/** Each answer must be to a tool use that waits for it, and only one answer to each. */
async function checkAnswers(store: Store, session: string, events: readonly UserEvent[]): Promise<void> {
  if (!events.some(({ type }) => type === 'user.tool_confirmation' || type === 'user.custom_tool_result'))
    return;
  const confirmable = new Set((await awaitingConfirmation(store, session)).map(({ id }) => id));
  const answerable = new Set(
    (await pendingToolUses(store, session)).filter(is('agent.custom_tool_use')).map(({ id }) => id),
  );
  events.forEach((event, index) => {
    if (event.type === 'user.tool_confirmation' && !confirmable.delete(event.body.tool_use_id)) {
      const id = event.body.tool_use_id;
      throw new InvalidRequestError(
        `events.${index}.tool_use_id: No tool use ${id} is waiting for confirmation`,
      );
    }
    if (event.type === 'user.custom_tool_result' && !answerable.delete(event.body.custom_tool_use_id)) {
      const id = event.body.custom_tool_use_id;
      throw new InvalidRequestError(
        `events.${index}.custom_tool_use_id: No custom tool use ${id} is waiting for a result`,
      );
    }
  });
}

/** The events that were not delivered to their workflow yet, oldest first, of one session or of all. */
export async function undelivered(store: Store, session?: string): Promise<readonly UserLogEvent[]> {
  return (await store.events.undelivered(session)).map(fromStored).filter(isUserEvent);
}

/** Notes that events were delivered. After a crash they may be delivered again, so the workflow compares `seq`. */
export async function markDelivered(
  store: Store,
  events: readonly { readonly session: string; readonly seq: number }[],
): Promise<void> {
  await store.events.markDelivered(events);
}

/** Claims sessions with events in the outbox and answers these events, as the store's own method of this name. */
export async function claimUndelivered(
  store: Store,
  request: Parameters<Store['events']['claimUndelivered']>[0],
): Promise<readonly UserLogEvent[]> {
  return (await store.events.claimUndelivered(request)).map(fromStored).filter(isUserEvent);
}
