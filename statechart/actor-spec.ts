import type { ActivityOptions, ChildWorkflowOptions, LocalActivityOptions } from '@temporalio/workflow';

/**
 * How a named source of a machine runs durably. Activities are called with two arguments: the actor's input and an
 * {@link Invocation}.
 */
export type ActorSpec =
  | { readonly kind: 'activity'; readonly name: string; readonly options: ActivityOptions }
  | { readonly kind: 'local-activity'; readonly name: string; readonly options: LocalActivityOptions }
  | {
      readonly kind: 'child-workflow';
      readonly workflowType: string;
      readonly options: ChildWorkflowOptions;
    };

/** Tells an activity which invocation it serves, so that it can key its effect. */
export interface Invocation {
  /**
   * Counts the actors this machine has started, from 1, across continue-as-new. With the workflow id it names the
   * invocation for good: every attempt of it, also after a continue-as-new in mid-flight, carries the same number.
   */
  readonly step: number;
}

/** Runs the source as an activity: the result is the actor's output. */
export function activity(name: string, options: ActivityOptions): ActorSpec {
  return { kind: 'activity', name, options };
}

/** Runs the source as a local activity, for short reads without effects; its result is durable only with the next task. */
export function localActivity(name: string, options: LocalActivityOptions): ActorSpec {
  return { kind: 'local-activity', name, options };
}

/** Runs the source as a child workflow; `sendTo` reaches it as its `send` signal. */
export function childWorkflow(workflowType: string, options: ChildWorkflowOptions = {}): ActorSpec {
  return { kind: 'child-workflow', workflowType, options };
}
