import { processEnd } from '../process-end.ts';
import type { GuestProcess } from './backend.ts';

/** Listens to a guest from its first moment on: what it says before it fails must not be lost. */
export function startedGuest(
  child: GuestProcess['child'],
  onStderr: (chunk: Buffer) => void,
): Pick<GuestProcess, 'child' | 'closed'> {
  child.stderr.on('data', onStderr);
  return { child, closed: processEnd(child).then(() => undefined) };
}
