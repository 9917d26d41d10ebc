import { type History, historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** A history event without what differs from run to run by nature. */
export interface NormalEvent {
  readonly id: string;
  readonly type: string;
  readonly attributes: Record<string, unknown>;
  readonly userMetadata?: unknown;
  readonly eventGroupMarkers?: unknown;
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What a key's value is replaced by; its presence still counts. */
const replaced: Readonly<Record<string, string>> = {
  requestId: '<id>',
  namespaceId: '<id>',
  parentWorkflowNamespaceId: '<id>',
  historySizeBytes: '<size>',
  stackTrace: '<stack>',
  buildId: '<build>',
};

/** Reads a history in JSON. */
export function parseHistory(json: string): History {
  return historyFromJSON(JSON.parse(json));
}

/** What two runs of the same workflow have in common. */
export function normalise(history: History): NormalEvent[] {
  const { events } = JSON.parse(historyToJSON(history)) as { events: Record<string, unknown>[] };
  return events.map((event) => {
    const key = Object.keys(event).find((k) => k.endsWith('EventAttributes')) ?? '';
    const normal = {
      id: String(event['eventId'] as string),
      type: String(event['eventType'] as string).replace('EVENT_TYPE_', ''),
      attributes: value(event[key], key) as Record<string, unknown>,
    };
    const { userMetadata, eventGroupMarkers } = event;
    return {
      ...normal,
      ...(userMetadata == null ? {} : { userMetadata: value(userMetadata, '') }),
      ...(isEmpty(eventGroupMarkers) ? {} : { eventGroupMarkers: value(eventGroupMarkers, '') }),
    };
  });
}

function isEmpty(list: unknown): boolean {
  return list == null || (Array.isArray(list) && list.length === 0);
}

function value(node: unknown, key: string): unknown {
  const substitute = replaced[key];
  if (substitute !== undefined && node !== '' && node != null) return substitute;
  if (Array.isArray(node)) {
    // The flags are a set.
    return key.endsWith('UsedFlags')
      ? (node as number[]).toSorted((a, b) => a - b)
      : node.map((n) => value(n, ''));
  }
  if (typeof node === 'object' && node !== null) {
    return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, value(v, k)]));
  }
  if (typeof node !== 'string') return node;
  if (key === 'data') return text(Buffer.from(node, 'base64').toString('utf8'));
  if (key === 'encoding' || key === 'type') return decoded(node);
  if (key === 'firstWorkflowTaskBackoff' && /^0\.\d+s$/.test(node)) return '<the rest of a second>';
  return text(node);
}

function decoded(node: string): string {
  const bytes = Buffer.from(node, 'base64');
  return bytes.toString('base64') === node && /^[\w/]+$/.test(bytes.toString()) ? bytes.toString() : node;
}

function text(node: string): string {
  if (time.test(node)) return '<time>';
  return node
    .replaceAll(uuid, '<uuid>')
    .replaceAll(/golden-worker-[0-9a-f]{32}/g, 'golden-worker-<sticky>')
    .replaceAll(/("<uuid>",true,)\d+/g, '$1<ms>')
    .replaceAll(/"(complete_time|original_schedule_time)":\{"seconds":\d+,"nanos":\d+\}/g, '"$1":"<time>"');
}
