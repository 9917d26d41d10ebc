import type { ChildProcess } from 'node:child_process';

/** A program that took over its pipes may outlive it; nobody waits for that one. */
const DRAIN_MS = 2_000;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Resolves when a child has ended and all that it wrote was read: at its `exit` its last words may still be in the pipes.
 * Ask for it right after `spawn`; a child that could not be started has no end but an `error`.
 */
export function processEnd(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), DRAIN_MS).unref());
  });
}
