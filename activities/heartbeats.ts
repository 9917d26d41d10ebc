import { Context } from '@temporalio/activity';

const LONGEST_INTERVAL_MS = 500;
const SHORTEST_INTERVAL_MS = 50;
/** Heartbeats in the time after which their absence shows that the worker is lost. */
const PER_TIMEOUT = 5;

/**
 * Runs long work with heartbeats: they let the server notice a lost worker within seconds, and they bring a cancellation, which
 * aborts `signal`.
 */
export async function withHeartbeats<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = Infinity } = context.info;
  const everyMs = Math.min(
    LONGEST_INTERVAL_MS,
    Math.max(SHORTEST_INTERVAL_MS, Math.floor(heartbeatTimeoutMs / PER_TIMEOUT)),
  );
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
