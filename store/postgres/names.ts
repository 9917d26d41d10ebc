import type { JsonObject } from '../contract/json.ts';

/** A record's name in lower case, for the search. */
export function lowerName({ name }: JsonObject): string | null {
  return typeof name === 'string' ? name.toLowerCase() : null;
}

/** The environment of a session's record, for lists. */
export function environmentOf({ environment_id: id }: JsonObject): string | null {
  return typeof id === 'string' ? id : null;
}
