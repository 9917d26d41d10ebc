import { processEnd } from '../process-end.ts';
import type { GuestProcess } from './backend.ts';

/** Reads a guest's standard error from its first moment on: messages before a failure must not be lost. */
export function startedGuest(
  child: GuestProcess['child'],
  onStderr: (chunk: Buffer) => void,
): Pick<GuestProcess, 'child' | 'closed'> {
  child.stderr.on('data', onStderr);
  return { child, closed: processEnd(child).then(() => undefined) };
}
