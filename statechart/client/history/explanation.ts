import type { MachineIdentity } from '../../core/machine-identity.ts';
import type { Held } from '../../core/messages.ts';
import type { AnyEventObject, StateValue } from 'xstate';
import type { ContextChange } from './context-diff.ts';

/** What a history tells, macrostep by macrostep. */
export interface Explanation {
  readonly workflowId: string;
  readonly runId: string;
  /** The machine that the run belongs to by its history; null when it does not say. */
  readonly machine: MachineIdentity | null;
  readonly steps: readonly Macrostep[];
  /** How the run stands at the end of the history. */
  readonly status: RunStatus;
  /** The state path at the end; empty when there is none. */
  readonly state: string;
  /** The output of a run that is completed. */
  readonly output?: unknown;
  /** Why a run has failed. */
  readonly error?: unknown;
  /** Effects that have neither ended nor been stopped. */
  readonly running: readonly StartedEffect[];
  /** Event ids of what came in and no task has taken yet. */
  readonly waiting: readonly number[];
  /** Workflow tasks that failed or timed out, with the reason. */
  readonly failedTasks: readonly { readonly eventId: number; readonly reason: string }[];
  /** Where the machine would have done something else than the history says. The explanation ends there. */
  readonly divergence?: Divergence;
  /** Why the run takes no events, at the end of the history or because the machine given is not its own. */
  readonly held?: Held;
}

export type RunStatus =
  | 'running'
  | 'held'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'terminated'
  | 'timed out'
  | 'continued as new';

export interface Divergence {
  /** The workflow task in which it shows, by the id of its WorkflowTaskCompleted. */
  readonly taskId: number;
  /** The event in the history that the machine would not have led to; absent when the history lacks one. */
  readonly eventId?: number;
  readonly reason: string;
}

/** What a machine does with one event, from one stable state to the next. */
export interface Macrostep {
  /** From 1. */
  readonly number: number;
  /** From the event that came in to the last one that followed from it. */
  readonly events: { readonly first: number; readonly last: number };
  /** The workflow task, by the id of its WorkflowTaskCompleted. */
  readonly taskId: number;
  /** The machine's time, in milliseconds since 1970. */
  readonly at: number;
  readonly cause: Cause;
  /** The state paths before and after; `from` is empty at the beginning. */
  readonly from: string;
  readonly to: string;
  /** The transitions in their order, those of machines inside this one too. */
  readonly transitions: readonly TakenTransition[];
  /** The names of the guards that these transitions have. */
  readonly guards: readonly string[];
  /** The names of the actions that ran, in order. */
  readonly actions: readonly string[];
  readonly changed: readonly ContextChange[];
  readonly started: readonly StartedEffect[];
  readonly stopped: readonly StoppedEffect[];
  /** Events for other workflows. */
  readonly sent: readonly SentEvent[];
  readonly emitted: readonly unknown[];
  readonly snapshot: StepSnapshot;
}

/** The machine's snapshot after a macrostep; values that JSON has no form for are encoded. */
export interface StepSnapshot {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly value: StateValue;
  readonly context: unknown;
  readonly tags: readonly string[];
  readonly output?: unknown;
  readonly error?: unknown;
}

export type Cause =
  | { readonly type: 'start'; readonly eventId: number; readonly input: unknown }
  /** The run goes on with what the one before has carried over. */
  | { readonly type: 'continued'; readonly eventId: number; readonly fromRunId: string }
  | {
      readonly type: 'signal';
      readonly eventId: number;
      readonly event: AnyEventObject;
      readonly path?: readonly string[];
    }
  | {
      readonly type: 'update';
      readonly eventId: number;
      readonly updateId: string;
      readonly event: AnyEventObject;
      /** The machine had no transition for it any more, and took no notice. */
      readonly isRefused: boolean;
    }
  /** A signal that is no event of the machine; it was dropped. */
  | { readonly type: 'refused'; readonly eventId: number; readonly reason: string }
  | { readonly type: 'done'; readonly eventId: number; readonly actor: EffectName; readonly output: unknown }
  | { readonly type: 'error'; readonly eventId: number; readonly actor: EffectName; readonly error: unknown }
  | { readonly type: 'delay'; readonly eventId: number; readonly id: string }
  /** A child machine told of its state. */
  | { readonly type: 'child state'; readonly eventId: number; readonly actor: EffectName }
  | { readonly type: 'cancel'; readonly eventId: number }
  | { readonly type: 'migration'; readonly eventId: number; readonly from: MachineIdentity | null }
  /** Something that runs inside the workflow. */
  | { readonly type: 'inside'; readonly eventId: number };

export interface EffectName {
  /** The ids of the actors from the machine down to this one, joined with `/`. */
  readonly id: string;
  /** The name of the source. */
  readonly src: string;
  readonly step: number;
}

export type StartedEffect =
  | (EffectName & {
      readonly type: 'activity' | 'local activity' | 'child';
      readonly input: unknown;
      /** The event of the start; 0 while the history has none, as for one that was stopped at once. */
      readonly eventId: number;
    })
  | { readonly type: 'delay'; readonly id: string; readonly ms: number; readonly eventId: number };

export type StoppedEffect =
  | (EffectName & { readonly type: 'activity' | 'local activity' | 'child'; readonly eventId: number })
  | { readonly type: 'delay'; readonly id: string; readonly eventId: number };

export interface SentEvent {
  readonly workflowId: string;
  /** The ids of the actors from that workflow's machine down to the one meant. */
  readonly path: readonly string[];
  readonly event: AnyEventObject;
  /** The event of the signal; 0 while the history has none. */
  readonly eventId: number;
}

export interface TakenTransition {
  /** The path of the machine inside this one; empty for this one. */
  readonly actor: string;
  /** Ids of state nodes. */
  readonly source: string;
  readonly targets: readonly string[];
  /** The event type; empty for `always`. */
  readonly event: string;
  readonly guard?: string;
}
