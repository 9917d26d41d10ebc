import { findProgram } from '../find-program.ts';
import { agentUidFor } from '../agent-uid.ts';
import { probeBubblewrap } from './bubblewrap.ts';

export interface IsolationSupport {
  readonly bubblewrap: { readonly available: true } | { readonly available: false; readonly reason: string };
}

/** Detects what this machine allows by trying it. `none` is always possible and never chosen unless asked for. */
export async function detectIsolation(): Promise<IsolationSupport> {
  const reason = await reasonAgainstBubblewrap();
  return { bubblewrap: reason === null ? { available: true } : { available: false, reason } };
}

async function reasonAgainstBubblewrap(): Promise<string | null> {
  if (process.platform !== 'linux') return `namespaces exist on Linux only, not on ${process.platform}`;
  if (findProgram('bwrap') === null) return 'bwrap is not installed (Debian package bubblewrap)';
  if (process.getuid?.() === 0 && findProgram('setpriv') === null)
    return 'setpriv is not installed (Debian package util-linux)';
  return probeBubblewrap(agentUidFor('probe'));
}
