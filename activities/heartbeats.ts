import { Context } from '@temporalio/activity';

const HEARTBEAT_INTERVAL_MS = 500;

/**
 * Runs long work with heartbeats: they let the server notice a lost worker within seconds, and they bring a cancellation, which
 * aborts `signal`.
 */
export async function withHeartbeats<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
