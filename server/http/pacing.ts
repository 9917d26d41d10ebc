import { setImmediate } from 'node:timers/promises';

/** How long work on the HTTP thread may go on before everybody else has a turn, in ms. */
const TURN_MS = 5;

/** Call it between small pieces of long work: it gives way to others when the turn has lasted long enough. */
export type Pace = () => Promise<void> | undefined;

/** @param signal rejects the next call with its reason */
export function createPace(signal?: AbortSignal): Pace {
  let turnEnds = performance.now() + TURN_MS;
  const giveWay = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  };
  return () => (performance.now() < turnEnds ? undefined : giveWay());
}
