import { createHash } from 'node:crypto';
import type { StoredEvent } from '../contract/events.ts';
import { canonicalJson } from '../contract/json.ts';

/** The head of an empty event log. */
export const NO_EVENTS = createHash('sha256').digest('hex');

/** The hash of an event and of all events before it: logs with equal heads are equal. */
export function hashEvent(previous: string, event: Omit<StoredEvent, 'hash'>): string {
  const { session, seq, id, type, payload, internal, ref, key, index, created_at } = event;
  const content = canonicalJson({ session, seq, id, type, payload, internal, ref, key, index, created_at });
  return createHash('sha256').update(previous).update('\n').update(content).digest('hex');
}
