import type { ActivityOptions, ChildWorkflowOptions, LocalActivityOptions } from '@temporalio/workflow';

/**
 * How a source of a machine runs. Activities are called with two arguments: the actor's input and an {@link Invocation}.
 */
export type ActorSpec =
  | {
      readonly kind: 'activity';
      readonly name: string;
      readonly options: ActivityOptions;
      readonly locally?: LocalActivityOptions;
    }
  | { readonly kind: 'local-activity'; readonly name: string; readonly options: LocalActivityOptions }
  | ChildSpec
  | { readonly kind: 'in-process'; readonly actors: ActorSpecs };

/** A child workflow, written by hand or made by `machineWorkflow`. */
export interface ChildSpec {
  readonly kind: 'child-workflow' | 'child-machine';
  readonly workflowType: string;
  readonly options: ChildWorkflowOptions;
  readonly supervision?: Supervision;
}

/** What happens when a child fails. */
export interface Supervision {
  /** How often a failed child is started again, with the input that it had. Default 0. */
  readonly restarts?: number;
  /** Milliseconds before the first restart. Each further one waits twice as long, up to `maxBackoff`. Default 1,000. */
  readonly backoff?: number;
  /** Milliseconds. Default 60,000. */
  readonly maxBackoff?: number;
  /**
   * What follows when no restart is left: `escalate` gives the error to the parent as XState does, `stop` ends the child
   * without a word. Default `escalate`.
   */
  readonly then?: 'escalate' | 'stop';
}

/** Specs by the name of the source; `*` stands for every source that has no spec of its own. */
export type ActorSpecs = Readonly<Record<string, ActorSpec>>;

/** Tells an activity which invocation it serves, so that it can key its effect. */
export interface Invocation {
  /**
   * Counts the actors this machine has started, from 1, across continue-as-new. With the workflow id it names the
   * invocation for good: every attempt of it, also after a continue-as-new in mid-flight, carries the same number.
   */
  readonly step: number;
}

/** How often an activity is tried when its options do not say. */
const DEFAULT_RETRY = { maximumAttempts: 5, initialInterval: '1s', maximumInterval: '10s' } as const;

/**
 * Runs the source as an activity: the result is the actor's output, and the error of the last attempt takes `onError`.
 *
 * Without `options.retry` it is tried five times, 1 s, 2 s, 4 s and 8 s apart; `retry: {}` is Temporal's own default, which
 * tries for ever.
 *
 * @param locally Options of a local activity that is tried first, once, in runs whose start has `triesLocally`. It saves two trips to
 * the server. Whatever it fails by, the activity follows; so the effect must be keyed by the invocation.
 */
export function activity(name: string, options: ActivityOptions, locally?: LocalActivityOptions): ActorSpec {
  return {
    kind: 'activity',
    name,
    options: { retry: DEFAULT_RETRY, ...options },
    ...(locally === undefined ? {} : { locally: { ...locally, retry: { maximumAttempts: 1 } } }),
  };
}

/**
 * Runs the source as a local activity, for short reads without effects; its result is durable only with the next task. Without
 * `options.retry` it is tried five times, as an activity is.
 */
export function localActivity(name: string, options: LocalActivityOptions): ActorSpec {
  return { kind: 'local-activity', name, options: { retry: DEFAULT_RETRY, ...options } };
}

/** Runs the source as a child workflow that was written by hand: its one argument is the actor's input. */
export function childWorkflow(
  workflowType: string,
  options: ChildWorkflowOptions & { readonly supervision?: Supervision } = {},
): ActorSpec {
  return child('child-workflow', workflowType, options);
}

/**
 * Runs the source, a machine, as a child workflow that `machineWorkflow` has made. Events go both ways, and the child outlives
 * a continue-as-new of its parent. It is cancelled with its parent, but not when the parent is terminated.
 */
export function childMachine(
  workflowType: string,
  options: ChildWorkflowOptions & { readonly supervision?: Supervision } = {},
): ActorSpec {
  return child('child-machine', workflowType, options);
}

/**
 * Runs the source inside the workflow, as XState itself does. Its code must be deterministic and may use Temporal's workflow
 * functions. A promise, a callback or an observable starts anew when the workflow continues as new, which waits for a moment
 * without one as long as it can. Machines and transition functions run like this without being named.
 *
 * @param actors Specs of a machine's own sources. Default: those of the machine around it.
 */
export function inProcess(): InProcess<Record<never, never>>;
export function inProcess<TActors extends ActorSpecs>(actors: TActors): InProcess<TActors>;
export function inProcess(actors: ActorSpecs = {}): ActorSpec {
  return { kind: 'in-process', actors };
}

interface InProcess<TActors> {
  readonly kind: 'in-process';
  readonly actors: TActors;
}

function child(
  kind: ChildSpec['kind'],
  workflowType: string,
  { supervision, ...options }: ChildWorkflowOptions & { readonly supervision?: Supervision },
): ActorSpec {
  return { kind, workflowType, options, ...(supervision === undefined ? {} : { supervision }) };
}
