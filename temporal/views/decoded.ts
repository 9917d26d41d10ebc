import type { Payload } from '../shapes/payload.ts';
import { type Fields, fieldsOf, listOf, maybeFields } from '../wire/fields.ts';

/** Readers of payloads that have been decoded in their messages. */

/** @param payload one that a PayloadReader has been through */
export const decodedOf = (payload: Fields): Payload => payload['decoded'] as Payload;

/** Of a message `{ payloads }`; empty when it is absent. */
export function payloadsOf(fields: Fields, key: string): Payload[] {
  return listOf(fieldsOf(fields, key), 'payloads').map((payload) => decodedOf(payload));
}

export function maybePayload(fields: Fields, key: string): Payload | null {
  const payload = maybeFields(fields, key);
  return payload === null ? null : (decodedOf(payload) ?? null);
}
