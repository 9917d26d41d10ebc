import type { Json, JsonObject, Store } from '@steadyhand/store';

/** A computer that a session has or had: the sandbox, and when it was made, as two may have had one id. */
export interface SessionComputer {
  readonly id: string;
  /** RFC 3339; null for a computer of which it was only found that it is gone. */
  readonly made: string | null;
}

/** What a tool use's effect says before its outcome is recorded: the computer that it was given to. */
export function readIntent(intent: Json | undefined): SessionComputer | null {
  const { sandbox, made } = (isObject(intent) ? intent : {}) as { sandbox?: unknown; made?: unknown };
  if (typeof sandbox !== 'string') return null;
  return { id: sandbox, made: typeof made === 'string' ? made : null };
}

/**
 * Writes which computer a tool use is about to be given to, and answers the one that was written first: an action that
 * may have been performed on one computer is never performed on another.
 */
export async function beginOn(
  store: Pick<Store, 'effects'>,
  session: string,
  toolUse: string,
  { id: sandbox, made }: SessionComputer,
): Promise<SessionComputer | null> {
  const begun = await store.effects.begin(session, toolUse, { sandbox, made });
  return begun.state === 'begun' ? { id: sandbox, made } : readIntent(begun.intent);
}

/** Whether two are one computer, and not only of one id. */
export function isSameComputer(a: SessionComputer, b: SessionComputer): boolean {
  return a.id === b.id && a.made === b.made;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a session's first sandbox follows from the session's, so that creating the sandbox twice creates one. */
export const sandboxIdOf = (session: string): string => session.replace(/^[^_]*_/, 'sbx_');

/** The id of the sandbox that follows one that was lost: `sbx_1`, `sbx_1-2`, `sbx_1-3`. */
export function sandboxIdAfter(id: string): string {
  const { first, generation } = partsOf(id);
  return `${first}-${generation + 1}`;
}

/** The ids of all sandboxes that a session has had, from the newest one's. */
export function sandboxIdsUpTo(id: string): readonly string[] {
  const { first, generation } = partsOf(id);
  return Array.from({ length: generation }, (_, n) => (n === 0 ? first : `${first}-${n + 1}`));
}

/** How many sandboxes a session has had when this one is its newest. */
export function generationOf(id: string): number {
  return partsOf(id).generation;
}

function partsOf(id: string): { readonly first: string; readonly generation: number } {
  const [, first = id, number] = /^(.*?)(?:-(\d+))?$/.exec(id) ?? [];
  return { first, generation: number === undefined ? 1 : Number(number) };
}
