import type { Held } from '../core/messages.ts';

/** What the errors of an actor's client have in common. */
export abstract class ActorError extends Error {
  readonly workflowId: string;
  constructor(workflowId: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.workflowId = workflowId;
  }
}

/** There is no workflow of that id, or it is no longer kept. */
export class ActorNotFoundError extends ActorError {
  override readonly name = 'ActorNotFoundError';
  constructor(workflowId: string) {
    super(workflowId, `there is no actor '${workflowId}'`);
  }
}

/** The actor has ended: it is done, was cancelled or terminated, or its workflow ran out of time. */
export class ActorEndedError extends ActorError {
  override readonly name = 'ActorEndedError';
  /** Temporal's word for it, such as `COMPLETED`, `CANCELLED`, `TERMINATED`, `TIMED_OUT`. */
  readonly status: string;
  constructor(workflowId: string, status: string, options?: ErrorOptions) {
    super(workflowId, `the actor '${workflowId}' has ended (${status})`, options);
    this.status = status;
  }
}

/** The machine has failed. `cause` is what it threw: with its name, message, own fields and cause where it was an Error. */
export class ActorFailedError extends ActorError {
  override readonly name = 'ActorFailedError';
  constructor(workflowId: string, message: string, cause: unknown) {
    super(workflowId, `the actor '${workflowId}' has failed: ${message}`, { cause });
  }
}

/** The run waits without taking events, because the worker does not know its machine. */
export class ActorHeldError extends ActorError {
  override readonly name = 'ActorHeldError';
  /** Why, and which machines are concerned; null when only the reason in the message is known. */
  readonly held: Held | null;
  constructor(workflowId: string, reason: string, held: Held | null) {
    super(workflowId, `the actor '${workflowId}' is held: ${reason}`);
    this.held = held;
  }
}

/** The actor's workflow cannot go on: its tasks fail in the worker, again and again. `cause` is the failure in its history. */
export class ActorStuckError extends ActorError {
  override readonly name = 'ActorStuckError';
  constructor(workflowId: string, cause: Error) {
    super(workflowId, `the workflow tasks of the actor '${workflowId}' fail: ${cause.message}`, { cause });
  }
}

/** The machine has no transition for the event in its state, or its guards are against it. */
export class EventNotAcceptedError extends ActorError {
  override readonly name = 'EventNotAcceptedError';
  readonly eventType: string;
  constructor(workflowId: string, eventType: string, message: string) {
    super(workflowId, message);
    this.eventType = eventType;
  }
}

/** No client may send the event, or it does not fit its schema; the message names the field. */
export class EventInvalidError extends ActorError {
  override readonly name = 'EventInvalidError';
  readonly eventType: string;
  constructor(workflowId: string, eventType: string, message: string) {
    super(workflowId, message);
    this.eventType = eventType;
  }
}

/** What was waited for did not come in time. */
export class ActorTimeoutError extends ActorError {
  override readonly name = 'ActorTimeoutError';
  /** Milliseconds. */
  readonly timeout: number;
  constructor(workflowId: string, timeout: number, awaited: string) {
    super(workflowId, `waited ${timeout} ms in vain for the actor '${workflowId}': ${awaited}`);
    this.timeout = timeout;
  }
}

/** The server takes no more updates of the actor for now: ten are in flight. The event was not sent. */
export class ActorBusyError extends ActorError {
  override readonly name = 'ActorBusyError';
  constructor(workflowId: string, cause: unknown) {
    super(workflowId, `too many updates of the actor '${workflowId}' are in flight`, { cause });
  }
}
