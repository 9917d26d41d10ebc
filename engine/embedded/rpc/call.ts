import type { temporal } from '@temporalio/proto';
import type { Limits } from '../primitives/limits.ts';
import { failedPrecondition, invalidArgument } from '../protocol/rpc-error.ts';

/** What a handler knows of the call that it serves. */
export interface Call {
  /** Answers the ms until the client gives up; Infinity when it never does. It does not depend on the time of day. */
  timeLeftMs(): number;
  readonly isCancelled: boolean;
  /** The SDK that calls, as it names itself; empty of a caller that does not. */
  readonly sdk: { readonly name: string; readonly version: string };
  /** `listener` runs at most once, when the client goes away; the returned function takes it back. */
  onCancel(listener: () => void): () => void;
  /** `listener` runs when the client turns out to have cancelled the call instead of taking its answer. */
  onUndelivered(listener: () => void): void;
}

/** One RPC method. It throws `RpcError`; any other error is the engine's fault and becomes INTERNAL. */
export type Handler = (request: never, call: Call) => object | Promise<object>;

/** RPC methods by name, e.g. `StartWorkflowExecution`. */
export type Handlers = Readonly<Record<string, Handler>>;

/** The methods of a service by name; each takes the request that Temporal's API declares for it. */
type HandlersOf<Service> = {
  readonly [Method in keyof Service & string as Capitalize<Method>]?: (
    request: Service[Method] extends (request: infer Request) => Promise<object> ? Request : never,
    call: Call,
  ) => object | Promise<object>;
};

export type WorkflowHandlers = HandlersOf<temporal.api.workflowservice.v1.WorkflowService>;

/** Answers how long a task poll may be held, in ms; refuses a poll without a sensible deadline. */
export function taskPollWaitMs(limits: Limits, call: Call): number {
  const left = call.timeLeftMs();
  if (left === Infinity) throw invalidArgument('Context timeout is not set.');
  if (left < limits.shortestPollDeadlineMs) throw failedPrecondition('Context timeout is too short.');
  return waitMs(limits, call, limits.pollWaitMs);
}

/** Answers how long a call may be held, at most `longest` ms: it is answered a little before its deadline. */
export function waitMs(limits: Limits, call: Call, longest: number): number {
  const left = call.timeLeftMs() - limits.deadlineMarginMs;
  return Math.max(0, Math.min(longest, left));
}

/**
 * Waits for something: `subscribe` gets the function to call when it has come, and answers how to stop waiting.
 * Resolves to undefined when `ms` have passed or the client has gone.
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
 * Resolves once everything is read that the network has delivered so far. A poll and its cancellation may arrive
 * together, and the poll is served before the cancellation has been read.
 */
export function pendingReads(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
