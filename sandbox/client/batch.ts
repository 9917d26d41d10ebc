import type { ActionOutcome, ActionRequest } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * Performs actions in order in one call to the sandbox, each at most once under its own key: their outcomes. After a lost
 * connection the whole is asked for again, and what is recorded is answered from there. When `signal` is aborted the action
 * under way is finished and no other is begun.
 */
export function performAll(
  sandboxes: Pick<Sandboxes, 'reach'>,
  id: string,
  actions: readonly ActionRequest[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly ActionOutcome[]> {
  return sandboxes.reach(
    id,
    (link) => link.call<readonly ActionOutcome[]>('POST', '/actions', { body: actions, signal }),
    { signal },
  );
}
