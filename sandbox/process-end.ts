import type { ChildProcess } from 'node:child_process';

/** A program that inherited the child's pipes may outlive the child and is not waited for. */
const DRAIN_MS = 2_000;

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Resolves when a child has ended and all its output was read; at the event `exit` the last output may still be in the
 * pipes. It has to be called right after `spawn`; for a child that could not be started there is only the event
 * `error`.
 */
export function processEnd(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), DRAIN_MS).unref());
  });
}
