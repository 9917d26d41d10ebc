import { getExternalWorkflowHandle } from '@temporalio/workflow';
import type { ActorRefFrom, AnyActorRef, AnyStateMachine, EventFrom } from 'xstate';
import { encodeData, type ReferenceCodec } from '../core/data.ts';
import { MESSAGES } from '../core/messages.ts';
import { remoteAddress } from '../core/remote-actor.ts';
import { workflowRef } from '../core/workflow-ref.ts';

/** A durable actor, for a workflow that was written by hand. */
export interface WorkflowActorHandle<TMachine extends AnyStateMachine> {
  readonly workflowId: string;
  /** A reference to it, for events of other actors. */
  readonly ref: ActorRefFrom<TMachine>;
  /**
   * Sends an event, as a signal.
   *
   * @throws ExternalWorkflowNotFound of Temporal's when the actor has ended; DataError for what cannot be kept.
   */
  send(event: EventFrom<TMachine>): Promise<void>;
  /** Asks the actor to end. */
  cancel(): Promise<void>;
}

const REFERENCES: ReferenceCodec = {
  encode: (value) => remoteAddress(value),
  decode: (_, assign) => assign(undefined),
};

/**
 * A typed handle of the durable actor of another workflow, for workflows that were written by hand. A machine sends with
 * `sendTo(workflowRef(workflowId), event)`.
 *
 * @example
 * await actorHandle(orderMachine, 'order-7').send({ type: 'pay', amount: 5n });
 */
export function actorHandle<TMachine extends AnyStateMachine>(
  _machine: TMachine,
  workflowId: string,
): WorkflowActorHandle<TMachine> {
  const workflow = getExternalWorkflowHandle(workflowId);
  const ref: AnyActorRef = workflowRef(workflowId);
  return {
    workflowId,
    ref: ref as unknown as ActorRefFrom<TMachine>,
    send: async (event) => await workflow.signal(MESSAGES.send, encodeData(event, 'event', REFERENCES)),
    cancel: async () => await workflow.cancel(),
  };
}
