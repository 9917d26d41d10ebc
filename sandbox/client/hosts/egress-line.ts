import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { LineEndOptions } from '../../egress/line.ts';
import { serveLine } from '../../egress/line.ts';
import type { SandboxLink } from '../connection/link.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const UPGRADE_MS = 10_000;

/**
 * Keeps a line to a daemon for the egress of its sandbox, and opens it again whenever it is lost, until the signal is
 * aborted. A daemon that makes its own connections refuses the line, which ends this.
 */
export async function keepEgressLine(
  link: Pick<SandboxLink, 'upgrade'>,
  options: LineEndOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
    try {
      const line = await link.upgrade('/egress', { timeoutMs: UPGRADE_MS, signal });
      line.on('error', () => line.destroy());
      const end = (): void => void line.destroy();
      signal.addEventListener('abort', end, { once: true });
      await serveLine(line, options);
      signal.removeEventListener('abort', end);
      wait = FIRST_PAUSE_MS;
    } catch (error) {
      if (error instanceof SandboxError && error.code !== 'unavailable') return;
    }
    await pause(wait, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
