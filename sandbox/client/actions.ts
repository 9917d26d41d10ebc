import {
  type ActionOutcome,
  type ActionRequest,
  type ActiveWindow,
  type GuardedAction,
  isSandboxError,
} from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * Performs actions in order in one call to the sandbox, each at most once under its own key, and returns their
 * outcomes. After a lost connection the whole list is sent again, and recorded actions are answered from the ledger.
 * When `signal` is aborted the running action is finished and no other is begun.
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

/** An action in a sandbox, for the code that decides whether it may be performed. */
export function guardedAction(
  sandboxes: Pick<Sandboxes, 'reach' | 'perform'>,
  sandbox: string,
  request: ActionRequest,
  signal?: AbortSignal,
): GuardedAction<ActionOutcome> {
  const options = signal === undefined ? {} : { signal };
  return {
    windowTitle: () => windowTitle(sandboxes, sandbox),
    isKnown: () => isKnown(sandboxes, sandbox, request.key),
    perform: (title) =>
      sandboxes.perform(
        sandbox,
        title === undefined ? request : { ...request, only_if_window: title },
        options,
      ),
  };
}

/** Title of the window that has a sandbox's keyboard; null when no window has it and when there is no display. */
export async function windowTitle(
  sandboxes: Pick<Sandboxes, 'reach'>,
  sandbox: string,
): Promise<string | null> {
  try {
    return (await activeWindow(sandboxes, sandbox))?.title ?? null;
  } catch (error) {
    if (isSandboxError(error, 'unavailable')) return null;
    throw error;
  }
}

/** Whether an action was begun in a sandbox under this key. */
export function isKnown(sandboxes: Pick<Sandboxes, 'reach'>, sandbox: string, key: string): Promise<boolean> {
  return sandboxes.reach(sandbox, async (link) => {
    const { known } = await link.call<{ readonly known: boolean }>('POST', '/actions/known', {
      body: { key },
    });
    return known;
  });
}

/** The window that has a sandbox's keyboard, or null. Throws SandboxError `unavailable` when there is no display. */
export function activeWindow(sandboxes: Pick<Sandboxes, 'reach'>, id: string): Promise<ActiveWindow | null> {
  return sandboxes.reach(id, (link) => link.call<ActiveWindow | null>('GET', '/active_window'));
}
