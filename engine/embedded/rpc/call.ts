import { failedPrecondition, invalidArgument } from './errors.ts';
import type { Kernel } from '../kernel.ts';

/** What a handler may know of the call it serves. */
export interface Call {
  /** Ms until the client gives up; Infinity when it never does. Independent of any clock's time of day. */
  timeLeftMs(): number;
  readonly isCancelled: boolean;
  /** `listener` runs at most once, when the client goes away; the returned function takes it back. */
  onCancel(listener: () => void): () => void;
  /** `listener` runs when the client turns out to have cancelled the call instead of taking its answer. */
  onUndelivered(listener: () => void): void;
}

/** One RPC method. Throws `RpcError`; anything else is the engine's fault and becomes INTERNAL. */
export type Handler = (request: never, call: Call) => object | Promise<object>;

/** RPC methods by name, e.g. `StartWorkflowExecution`. */
export type Handlers = Readonly<Record<string, Handler>>;

/** How long a task poll may be held, in ms; refuses a poll without a sensible deadline. */
export function taskPollWaitMs(kernel: Kernel, call: Call): number {
  const left = call.timeLeftMs();
  if (left === Infinity) throw invalidArgument('Context timeout is not set.');
  if (left < kernel.limits.shortestPollDeadlineMs) throw failedPrecondition('Context timeout is too short.');
  return waitMs(kernel, call, kernel.limits.pollWaitMs);
}

/** How long a call may be held, at most `longest` ms: it has to be answered a little before its deadline. */
export function waitMs(kernel: Kernel, call: Call, longest: number): number {
  const left = call.timeLeftMs() - kernel.limits.deadlineMarginMs;
  return Math.max(0, Math.min(longest, left));
}

/**
 * Waits for something: `subscribe` is told what to call when it is there, and answers how to stop waiting. Resolves to
 * undefined when `ms` have passed or the client has gone.
 */
export function waitFor<T>(
  call: Call,
  ms: number,
  subscribe: (resolve: (value: T | undefined) => void) => () => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cleanups: (() => void)[] = [];
    let isDone = false;
    const finish = (value: T | undefined): void => {
      if (isDone) return;
      isDone = true;
      for (const cleanup of cleanups) cleanup();
      resolve(value);
    };
    const timer = setTimeout(() => finish(undefined), Math.min(ms, 2 ** 31 - 1));
    cleanups.push(() => clearTimeout(timer));
    cleanups.push(call.onCancel(() => finish(undefined)));
    const stop = subscribe(finish);
    if (isDone) stop();
    else cleanups.push(stop);
    if (call.isCancelled) finish(undefined);
  });
}

/**
 * Lets everything be read that the network has delivered so far. A poll and its cancellation may have arrived together,
 * and the poll is served before the cancellation has been read.
 */
export function untilRead(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
