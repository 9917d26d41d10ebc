import { ApplicationFailure, TemporalFailure, TimeoutFailure } from '@temporalio/workflow';

/** The error of an actor in `event.error` of an `onError` transition: plain JSON, so that the context may keep it. */
export interface ActorFailure {
  readonly name: string;
  readonly message: string;
  /** `type` of an ApplicationFailure, e.g. `ProviderRefusedError`; `Timeout` with the timeout's kind; null otherwise. */
  readonly type: string | null;
  readonly details: readonly unknown[];
}

/** Unwraps ActivityFailure and ChildWorkflowFailure down to their cause. */
export function toActorFailure(error: unknown): ActorFailure {
  const cause = rootOf(error);
  if (cause instanceof ApplicationFailure) {
    return {
      name: cause.name,
      message: cause.message,
      type: cause.type ?? null,
      details: cause.details ?? [],
    };
  }
  if (cause instanceof TimeoutFailure) {
    return { name: cause.name, message: cause.message, type: 'Timeout', details: [cause.timeoutType] };
  }
  if (cause instanceof Error) return { name: cause.name, message: cause.message, type: null, details: [] };
  return { name: 'Error', message: String(cause), type: null, details: [] };
}

function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof TemporalFailure && cause.cause !== undefined && !isRoot(cause)) cause = cause.cause;
  return cause;
}

const isRoot = (failure: TemporalFailure): boolean =>
  failure instanceof ApplicationFailure || failure instanceof TimeoutFailure;
