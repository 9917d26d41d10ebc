import type { StateValue } from 'xstate';
import type { CarriedMachine } from '../../core/carried.ts';
import { Interpreter } from '../../core/interpreter.ts';
import { statePath } from '../../core/state-path.ts';
import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { MachineStart } from '../../workflow/machine-start.ts';
import { changesBetween } from './context-diff.ts';
import type { Cause, StepSnapshot } from './explanation.ts';
import type { HistoryLineage } from './history-lineage.ts';
import type { OpenStep } from './open-step.ts';
import { StepRecorder, type Send } from './step-recorder.ts';
import type { TaskAtHand } from './task-at-hand.ts';
import { atWorkflowTime } from './workflow-time.ts';

interface SnapshotFields {
  readonly status: StepSnapshot['status'];
  readonly value: StateValue;
  readonly context: unknown;
  readonly tags: ReadonlySet<string>;
  readonly output: unknown;
}

/** A macrostep with what came of it inside the machine. */
export interface TakenStep {
  readonly step: OpenStep;
  /** Ids of the actors that came to be. */
  readonly actors: readonly string[];
  readonly sends: readonly Send[];
}

interface SteppedMachineOptions {
  readonly definition: WorkflowDefinition;
  readonly lineage: HistoryLineage;
  readonly workflowId: string;
  readonly hand: TaskAtHand;
  /** Called when an actor inside the machine has moved it. */
  readonly wake: () => void;
}

/** The machine of a history, taken macrostep by macrostep, each of which is noted. */
export class SteppedMachine {
  readonly #options: SteppedMachineOptions;
  #triesLocally = false;
  readonly #recorder: StepRecorder;
  readonly #steps: OpenStep[] = [];
  #interpreter: Interpreter | undefined;

  constructor(options: SteppedMachineOptions) {
    this.#options = options;
    this.#recorder = new StepRecorder(options.workflowId);
  }

  get steps(): readonly OpenStep[] {
    return this.#steps;
  }

  /** Undefined until the machine is started. */
  get interpreter(): Interpreter | undefined {
    return this.#interpreter;
  }

  /** @throws Error before the machine is started. */
  get live(): Interpreter {
    if (this.#interpreter === undefined) throw new Error('the machine has not been started');
    return this.#interpreter;
  }

  /** Whether actors that run inside the workflow have done something by themselves. */
  get hasMovedInside(): boolean {
    return this.#recorder.hasNews;
  }

  get hasEnded(): boolean {
    if (this.#interpreter === undefined) return false;
    return this.#interpreter.failure !== undefined || this.#interpreter.snapshot.status !== 'active';
  }

  /** As {@link HistoryLineage.triesLocally}. */
  get triesLocally(): boolean {
    return this.#triesLocally;
  }

  /** Starts the machine that the run belongs to now, in place of the one before. To be called within a step. */
  start({ parent, input, triesLocally = false }: MachineStart, carried: CarriedMachine | undefined): void {
    const { lineage, workflowId, definition, hand, wake } = this.#options;
    this.#triesLocally = lineage.triesLocally(triesLocally);
    const { maxMicrosteps } = definition;
    this.#interpreter = new Interpreter({
      machine: lineage.current.prepared,
      workflowId,
      now: () => hand.task.at,
      wake,
      inspect: (event) => this.#recorder.note(event),
      ...(parent === undefined ? {} : { parent: parent.address }),
      ...(maxMicrosteps === undefined ? {} : { maxMicrosteps }),
      ...(carried === undefined ? { input } : { carried }),
    });
    this.#interpreter.start();
  }

  /** Runs one macrostep and notes what it did. */
  step(work: (interpreter: Interpreter) => Cause): TakenStep {
    const { task } = this.#options.hand;
    const before = this.#steps.at(-1)?.snapshot;
    const cause = atWorkflowTime(task.at, () => work(this.#interpreter as Interpreter));
    const { actors, sends, ...noted } = this.#recorder.take();
    const snapshot = this.#snapshot();
    const step: OpenStep = {
      number: this.#steps.length + 1,
      events: { first: cause.eventId, last: cause.eventId },
      taskId: task.completedId,
      at: task.at,
      cause,
      from: before === undefined ? '' : statePath(before.value),
      to: statePath(snapshot.value),
      ...noted,
      changed: changesBetween(before?.context, snapshot.context),
      started: [],
      stopped: [],
      sent: [],
      emitted: [],
      snapshot,
    };
    this.#steps.push(step);
    return { step, actors, sends };
  }

  /** Notes a message that the machine did not get. */
  noteRefused(eventId: number, reason: string): void {
    const before = this.#steps.at(-1);
    if (before === undefined) return;
    const { task } = this.#options.hand;
    this.#steps.push({
      ...before,
      number: this.#steps.length + 1,
      events: { first: eventId, last: eventId },
      taskId: task.completedId,
      at: task.at,
      cause: { type: 'refused', eventId, reason },
      from: before.to,
      transitions: [],
      guards: [],
      actions: [],
      changed: [],
      started: [],
      stopped: [],
      sent: [],
      emitted: [],
    });
  }

  /** A value as JSON, or why it has no such form. */
  encoded(value: unknown, where: string): unknown {
    try {
      return this.live.encode(value, where);
    } catch (error) {
      return `(${error instanceof Error ? error.message : String(error)})`;
    }
  }

  #snapshot(): StepSnapshot {
    const { snapshot, failure } = this.live;
    const { status, value, context, tags, output } = snapshot as SnapshotFields;
    return {
      status: failure === undefined ? status : 'error',
      value,
      context: this.encoded(context, 'context'),
      tags: [...tags],
      ...(output === undefined ? {} : { output: this.encoded(output, 'output') }),
      ...(failure === undefined ? {} : { error: this.encoded(failure.cause, 'error') }),
    };
  }
}
