import type { Json } from './json.ts';

/**
 * What is recorded of an effect.
 * - `begun`: this call wrote the intent, and the caller is to act.
 * - `unknown`: an earlier attempt wrote the intent and no outcome, so whether it took effect is not known. The caller
 *   has to find out and must not repeat it.
 * - `done`: the outcome is recorded. The caller returns it and does nothing.
 */
export type Begun =
  | { readonly state: 'begun' }
  | { readonly state: 'unknown'; readonly intent: Json; readonly begun_at: string }
  | { readonly state: 'done'; readonly intent: Json; readonly outcome: Json; readonly begun_at: string };

/** The record by which no key is performed twice. Outcomes hold hashes of blobs, never bytes. */
export interface Effects {
  /** Writes the intent unless the key has one. `scope` is the session; a key is unique within it. */
  begin(scope: string, key: string, intent?: Json): Promise<Begun>;
  /**
   * Writes the outcome and answers the recorded one, which is the first. Throws NotStoredError when nothing was begun.
   */
  finish(scope: string, key: string, outcome: Json): Promise<Json>;
  get(scope: string, key: string): Promise<Exclude<Begun, { state: 'begun' }> | undefined>;
}
