import type { ActiveWindow } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

/** The window that has a sandbox's keyboard now, or null; SandboxError `unavailable` where it has no display. */
export function activeWindow(sandboxes: Pick<Sandboxes, 'reach'>, id: string): Promise<ActiveWindow | null> {
  return sandboxes.reach(id, (link) => link.call<ActiveWindow | null>('GET', '/active_window'));
}
