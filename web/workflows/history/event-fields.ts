import { formatName } from '../../parts/format.ts';
import { isWirePayload, type Payload, payloadOf } from '../payloads/payload.ts';
import { attributesOf, type HistoryEvent } from './history-event.ts';
import type { WireFailure } from './event-failure.tsx';

/** A field of an event, by how it is shown. */
export type EventField =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | { readonly name: string; readonly kind: 'payloads'; readonly payloads: readonly Payload[] }
  | { readonly name: string; readonly kind: 'failure'; readonly failure: WireFailure }
  | { readonly name: string; readonly kind: 'json'; readonly value: unknown };

/** The fields of an event that say something, in the order of the event. */
export function fieldsOf(event: HistoryEvent): readonly EventField[] {
  return Object.entries(attributesOf(event)).flatMap(([key, value]) => fieldOf(key, value));
}

/** What proto JSON writes for a field that is not set. */
const EMPTY: ReadonlySet<unknown> = new Set(['', '0', '0s', false]);

function fieldOf(key: string, value: unknown): readonly EventField[] {
  if (value === null || value === undefined || EMPTY.has(value)) return [];
  const name = nameOf(key);
  if (typeof value !== 'object')
    return [{ name, kind: 'text', text: textOf(value as string | number | boolean) }];
  if (isWirePayload(value)) return [{ name, kind: 'payloads', payloads: [payloadOf(value)] }];
  const { payloads, name: typeName } = value as { readonly payloads?: unknown; readonly name?: unknown };
  if (Array.isArray(payloads))
    return [{ name, kind: 'payloads', payloads: payloads.filter(isWirePayload).map(payloadOf) }];
  if (/failure$/i.test(key)) return [{ name, kind: 'failure', failure: value as WireFailure }];
  const keys = Object.keys(value);
  if (keys.length === 0) return [];
  if (typeof typeName === 'string' && keys.every((held) => held === 'name' || held === 'kind'))
    return [{ name, kind: 'text', text: typeName }];
  const held = Object.entries(
    (value as { fields?: object; indexedFields?: object }).fields ??
      (value as { indexedFields?: object }).indexedFields ??
      value,
  );
  if (held.every(([, entry]) => isWirePayload(entry)))
    return held.map(([entry, payload]) => ({
      name: `${name}: ${entry}`,
      kind: 'payloads' as const,
      payloads: [payloadOf(payload as object)],
    }));
  return [{ name, kind: 'json', value: withoutBytes(value) }];
}

/** `startToCloseTimeout` as words. */
function nameOf(key: string): string {
  return formatName(key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());
}

/** `3.5s` of proto JSON, and names of enums, as people read them. */
function textOf(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  if (/^-?\d+(?:\.\d+)?s$/.test(value)) return value.replace('s', ' s');
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) ? formatName(value.toLowerCase()) : value;
}

/** Payloads deep inside, by their values. */
function withoutBytes(value: unknown): unknown {
  if (isWirePayload(value)) {
    const payload = payloadOf(value);
    return payload.truncated ? payload.preview : (payload.value ?? payload.error);
  }
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutBytes(held)]));
}
