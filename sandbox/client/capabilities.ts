import type { IsolationKind } from '@steadyhand/contracts';
import { DESKTOP_PROGRAMS } from '../desktop/desktop-files.ts';
import { findProgram } from '../find-program.ts';
import { type IsolationSupport, detectIsolation } from '../isolation/detect.ts';
import { mayTakeContainers } from '../isolation/laptop.ts';

/** What new sandboxes are to get; `auto` is bubblewrap, and on a laptop without it a container. */
export type IsolationChoice = 'auto' | IsolationKind;

/** Which kinds of sandbox this machine can run, and why it cannot run others. */
export interface Capabilities {
  readonly isolation: IsolationSupport & {
    /** What new sandboxes get; null when none can be made, and then `reason` says why. */
    readonly chosen: IsolationKind | null;
    readonly reason: string | null;
  };
  /** Without a desktop there are still shell and editor. Containers and pool machines bring their own desktop. */
  readonly desktop: { readonly available: boolean; readonly missing: readonly string[] };
}

/** Asks why sandboxes of a kind are not possible; null means that they are. */
export interface Elsewhere {
  container(): Promise<string | null>;
  remote(): Promise<string | null>;
}

export async function detectCapabilities(
  wanted: IsolationChoice,
  elsewhere: Elsewhere,
): Promise<Capabilities> {
  if (wanted === 'container' || wanted === 'remote') {
    const reason = await elsewhere[wanted]();
    return {
      isolation: {
        bubblewrap: { available: false, reason: `SANDBOX_ISOLATION=${wanted}` },
        chosen: reason === null ? wanted : null,
        reason: reason === null ? null : `isolation by ${wanted} fails (${reason})`,
      },
      desktop: { available: true, missing: [] },
    };
  }
  const support = await detectIsolation();
  const { bubblewrap } = support;
  if (wanted === 'none' || bubblewrap.available || !mayTakeContainers()) {
    const missing = DESKTOP_PROGRAMS.filter((program) => findProgram(program) === null);
    const chosen = wanted === 'none' ? 'none' : bubblewrap.available ? 'bubblewrap' : null;
    const reason =
      chosen !== null || bubblewrap.available ? null : `isolation by bubblewrap fails (${bubblewrap.reason})`;
    return {
      isolation: { ...support, chosen, reason },
      desktop: { available: missing.length === 0, missing },
    };
  }
  const against = wanted === 'auto' ? await elsewhere.container() : 'they are not asked for';
  const reason = `isolation by bubblewrap fails (${bubblewrap.reason}), by containers too (${against})`;
  return {
    isolation:
      against === null
        ? { ...support, chosen: 'container', reason: null }
        : { ...support, chosen: null, reason },
    desktop: { available: true, missing: [] },
  };
}
