import { InvalidRequestError } from '@steadyhand/contracts';

/** What a page's token holds, so that the next request goes on where this one ended, in the same run. */
export type Place = Readonly<Record<string, string | number | boolean>>;

export function encodePlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws {InvalidRequestError} for a text that is no such token, or one of another list */
export function decodePlace<K extends string>(token: string, keys: readonly K[]): Record<K, unknown> {
  try {
    const place = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<K, unknown>;
    if (typeof place === 'object' && place !== null && keys.every((key) => Object.hasOwn(place, key))) {
      return place;
    }
  } catch {
    // It is refused below.
  }
  throw new InvalidRequestError('page: Invalid page token');
}

export const bytesText = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes ?? []).toString('base64');

export const textBytes = (text: unknown): Uint8Array =>
  Buffer.from(typeof text === 'string' ? text : '', 'base64');
