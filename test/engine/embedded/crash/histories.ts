import type { HistoryEvent } from '../../../../engine/embedded/history/events.ts';
import { History } from '../../../../engine/embedded/protocol/proto.ts';
import { kindOf } from './check-history.ts';

/** The ends of events of others: a copy of the run would wait for them in vain, or act on others a second time. */
const OF_OTHERS = /child|external/i;

/** Whether a run of this history goes on by itself. */
export function standsAlone(events: readonly HistoryEvent[]): boolean {
  return events.length > 0 && !events.some((event) => OF_OTHERS.test(kindOf(event)));
}

/** A history as an import takes it. */
export function encodedHistory(events: readonly HistoryEvent[]): readonly object[] {
  return [{ encodingType: 1, data: History.encode({ events: [...events] }).finish() }];
}

/** A UUID whose digits a seed decides. */
export function randomUuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
