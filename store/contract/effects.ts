import type { Json } from './json.ts';

/**
 * What is known of an effect on the world.
 * - `begun`: the intent was written just now, by this call: go and act.
 * - `unknown`: the intent stands there from an earlier attempt and no outcome does: whether it took effect is not
 *   known. Look at the world; never just do it again.
 * - `done`: the recorded outcome. Return it and do nothing.
 */
export type Begun =
  | { readonly state: 'begun' }
  | { readonly state: 'unknown'; readonly intent: Json; readonly begun_at: string }
  | { readonly state: 'done'; readonly intent: Json; readonly outcome: Json; readonly begun_at: string };

/** The recorded side of "a key that is recorded is never performed again". Outcomes hold blob hashes, never bytes. */
export interface Effects {
  /** Writes the intent unless the key has one. `scope` is the session; a key is unique within it. */
  begin(scope: string, key: string, intent?: Json): Promise<Begun>;
  /** Writes the outcome; the first one stands, and is what comes back. Throws NotStoredError when nothing was begun. */
  finish(scope: string, key: string, outcome: Json): Promise<Json>;
  get(scope: string, key: string): Promise<Exclude<Begun, { state: 'begun' }> | undefined>;
}
