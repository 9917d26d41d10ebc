import { type ActionOutcome, type ActionRequest, isSandboxError } from '@steadyhand/contracts';
import { activeWindow } from './active-window.ts';
import type { Sandboxes } from './sandboxes.ts';

/** An action and what has to be known to decide whether it may be performed. */
export interface GuardedAction {
  /** Title of the window that has the keyboard; null where there is none, and where there is no display. */
  windowTitle(): Promise<string | null>;
  /** Whether the action was begun before, under its key. */
  isKnown(): Promise<boolean>;
  /** SandboxError `window_changed` when a title is given and another window has the keyboard; nothing was done then. */
  perform(onlyIfWindow?: string | null): Promise<ActionOutcome>;
}

export function guardedAction(
  sandboxes: Pick<Sandboxes, 'reach' | 'perform'>,
  sandbox: string,
  request: ActionRequest,
  signal?: AbortSignal,
): GuardedAction {
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

/** Title of the window that has a sandbox's keyboard; null where there is none, and where there is no display. */
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
