import type { AnyActorRef } from 'xstate';

const WORKFLOW_REF = 'steadyhand.workflow';

/**
 * Addresses another workflow in `sendTo`: the event arrives as its `send` signal.
 *
 * @example
 * entry: sendTo(workflowRef('order-7'), { type: 'paid' })
 */
export function workflowRef(workflowId: string): AnyActorRef {
  // XState's sendTo passes the target on untouched; only this module reads it.
  return { kind: WORKFLOW_REF, id: workflowId } as unknown as AnyActorRef;
}

/** The workflow id behind a `workflowRef`, else undefined. */
export function workflowIdOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { kind, id } = target as { kind?: unknown; id?: unknown };
  return kind === WORKFLOW_REF && typeof id === 'string' ? id : undefined;
}
