import type { IsolationKind } from '@steadyhand/contracts';
import { processEnd } from '../process-end.ts';
import { type GuestProcess, IsolationError } from './backend.ts';

/** Reads a guest's standard error from its first moment on: messages before a failure must not be lost. */
export function startedGuest(
  child: GuestProcess['child'],
  onStderr: (chunk: Buffer) => void,
): Pick<GuestProcess, 'child' | 'closed'> {
  child.stderr.on('data', onStderr);
  return { child, closed: processEnd(child).then(() => undefined) };
}

/** Waits until a guest that is started as a direct child runs; rejects with IsolationError. */
export async function spawnedGuest(
  kind: IsolationKind,
  child: GuestProcess['child'],
  onStderr: (chunk: Buffer) => void,
): Promise<Pick<GuestProcess, 'child' | 'closed'>> {
  const guest = startedGuest(child, onStderr);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new IsolationError(kind, error.message)));
  });
  return guest;
}
