import type { XConnection } from './connection.ts';
import type { DisplayError } from './errors.ts';
import { askProgram } from './program-answer.ts';
import { SettleDetector, type SettleTimes } from './settle-detector.ts';

/**
 * Changes are collected from the server at most this often: a busy screen must not flood the connection with events.
 */
const COLLECT_MS = 8;

/** An answer that brings the end nearer is noticed at most this late. */
const ANSWER_CHECK_MS = 20;

/** Why waiting for a settled screen ended, and after how long. */
export interface Settled {
  readonly by: 'quiet' | 'limit' | 'aborted';
  readonly ms: number;
}

/**
 * Waits until the root window has come to rest (DAMAGE events; see SettleDetector for what counts). It is called right
 * after an input: changes before the call do not count, and the effects of the input are waited for. Damage is tracked
 * only during the call, so an idle screen costs nothing.
 */
export async function settle(
  connection: XConnection,
  times: SettleTimes,
  signal?: AbortSignal,
): Promise<Settled> {
  const { damage, x } = connection;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  const id = x.AllocID();
  damage.Create(id, connection.root, damage.ReportLevel.BoundingBox);
  damage.Subtract(id, 0, 0);
  const start = performance.now();
  // A new damage object reports the whole window once; the round trip outlasts that report.
  await connection.sync();
  const detector = new SettleDetector(times, connection.size, start);

  let collecting: NodeJS.Timeout | undefined;
  const off = connection.onEvent((event) => {
    if (event.name !== 'DamageNotify' || event.damage !== id || event.area === undefined) return;
    detector.changed(event.area, performance.now());
    collecting ??= setTimeout(() => {
      collecting = undefined;
      if (connection.alive) damage.Subtract(id, 0, 0);
    }, COLLECT_MS);
  });
  let lost: DisplayError | undefined;
  const offEnd = connection.onEnd((error) => {
    lost = error;
    stop.abort();
  });
  let offAnswer = (): void => undefined;
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) stop.abort();
  try {
    if (times.answerMs > 0) {
      detector.asked();
      ({ off: offAnswer } = await askProgram(connection, () => detector.answered(performance.now())));
    }
    while (!stop.signal.aborted) {
      const wait = detector.deadline - performance.now();
      if (wait <= 0) break;
      await pause(Math.min(wait, ANSWER_CHECK_MS), stop.signal);
    }
    if (lost !== undefined) throw lost;
  } finally {
    off();
    offAnswer();
    offEnd();
    signal?.removeEventListener('abort', onAbort);
    clearTimeout(collecting);
    if (connection.alive) {
      damage.Destroy(id);
      x.ReleaseID(id);
    }
  }
  const ms = performance.now() - start;
  if (signal?.aborted === true) return { by: 'aborted', ms };
  return { by: ms >= times.maxMs ? 'limit' : 'quiet', ms };
}

/** Waits `ms` milliseconds, or less when `signal` is aborted. It never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
