import { Context } from '@temporalio/activity';
import { toFailure } from './failures.ts';

const BEAT_MS = 500;

/**
 * Runs long work with a heartbeat: so the server misses a lost worker within seconds, and so a cancellation arrives.
 * `signal` is aborted by it.
 */
export async function lively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MS);
  try {
    return await work(context.cancellationSignal);
  } catch (error) {
    throw toFailure(error);
  } finally {
    clearInterval(beat);
  }
}
