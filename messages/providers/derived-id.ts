import { createHash } from 'node:crypto';

/** Derives an id with a prefix, such as `toolu_`, from the caller's id and what else tells it apart in a conversation. */
export function derivedId(prefix: string, parts: readonly unknown[]): string {
  return prefix + createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
