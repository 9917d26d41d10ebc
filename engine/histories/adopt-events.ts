import type { temporal } from '@temporalio/proto';
import { long } from '../embedded/protocol/values.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** A namespace as events name it. */
export interface NamespaceRef {
  readonly name: string;
  readonly id: string;
  /** What the server writes into the events of a namespace that several clusters share; 0 elsewhere. */
  readonly failoverVersion: number;
}

/**
 * Makes a history one of the namespace that it goes to: parents, children and the runs that were signalled in the old
 * namespace are in the new one, too.
 */
export function adoptEvents(events: readonly HistoryEvent[], from: string, to: NamespaceRef): HistoryEvent[] {
  return events.map((event) => {
    const field = Object.keys(event).find((key) => key.endsWith('EventAttributes')) as
      | (keyof HistoryEvent & `${string}EventAttributes`)
      | undefined;
    const adopted: HistoryEvent = { ...event, version: long(to.failoverVersion) };
    if (field === undefined) return adopted;
    return { ...adopted, [field]: renamed(event[field] ?? {}, from, to) };
  });
}

const PAIRS = [
  ['namespace', 'namespaceId'],
  ['parentWorkflowNamespace', 'parentWorkflowNamespaceId'],
] as const;

function renamed(attributes: object, from: string, to: NamespaceRef): object {
  const changed: Record<string, unknown> = { ...attributes };
  for (const [name, id] of PAIRS) {
    if (changed[name] !== from) continue;
    changed[name] = to.name;
    if (changed[id]) changed[id] = to.id;
  }
  return changed;
}
