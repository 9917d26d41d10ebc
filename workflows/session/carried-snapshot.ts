import type { StateValue } from 'xstate';

/** The states of `failed` by the names that they had in earlier versions. */
const RENAMED: Readonly<Record<string, string>> = { telling: 'reporting', told: 'reported' };

/** A carried snapshot with the present names of its states: the run that carried it may be of an earlier version. */
export function withPresentStates(snapshot: unknown): unknown {
  const { value } = snapshot as { readonly value: StateValue };
  if (typeof value === 'string' || typeof value['failed'] !== 'string') return snapshot;
  return { ...(snapshot as object), value: { failed: RENAMED[value['failed']] ?? value['failed'] } };
}
