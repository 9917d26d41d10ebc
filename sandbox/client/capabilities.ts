import { findProgram } from '../find-program.ts';
import { type IsolationSupport, detectIsolation } from '../isolation/detect.ts';
import type { SandboxConfig } from '../config.ts';

/** What sandboxes on this machine can be, and why not more. */
export interface Capabilities {
  readonly isolation: IsolationSupport & {
    /** What new sandboxes get; null when none can be made. */
    readonly chosen: SandboxConfig['isolation'] | null;
  };
  /** Without a desktop a sandbox still has its shell and its editor. */
  readonly desktop: { readonly available: boolean; readonly missing: readonly string[] };
}

/** Programs without which there is no screen; a window manager is wanted, not needed. */
const DESKTOP_PROGRAMS = ['Xvfb', 'xdotool'];

export async function detectCapabilities(wanted: 'auto' | 'bubblewrap' | 'none'): Promise<Capabilities> {
  const support = await detectIsolation();
  const missing = DESKTOP_PROGRAMS.filter((program) => findProgram(program) === null);
  const chosen = wanted === 'none' ? 'none' : support.bubblewrap.available ? 'bubblewrap' : null;
  return { isolation: { ...support, chosen }, desktop: { available: missing.length === 0, missing } };
}
