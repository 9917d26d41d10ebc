import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import { CommandIndex, type RecordedCommand } from './command-index.ts';
import type { Explanation, Macrostep, RunStatus } from './explanation.ts';
import { eventOf, fieldsOf, HistoryError, rawEventsOf, textOf, type HistoryEvent } from './history-event.ts';
import { requireDefinition, type MachineSource } from './machine-source.ts';
import { errorOf, valuesOf } from './payloads.ts';
import { ReplayedRun } from './replayed-run.ts';
import { WorkflowTasks, type WorkflowTask } from './workflow-tasks.ts';

/** Events that are read at a time, at least: a lot ends where a workflow task begins, so that none is cut. */
const LOT = 100;

export interface HistoryExplainerOptions {
  /** The workflow's id, where the history does not say it. Needed for machines with children. */
  readonly workflowId?: string;
  /** Whether a history that does not name its machine is taken for one of the newest. Default: true. */
  readonly trusts?: boolean;
  /** Is awaited again and again on the way, so that others may have their turn: a long history takes seconds. */
  readonly pause?: () => Promise<void> | undefined;
}

/**
 * Explains a history that grows, as `explainHistory` does it of one that is whole. What was explained before is kept.
 *
 * @example
 * const explainer = new HistoryExplainer(order);
 * await explainer.add({ events });
 * await explainer.add({ events: further });
 * if (!explainer.isStale) show(explainer.steps);
 */
export class HistoryExplainer {
  readonly #definition: WorkflowDefinition;
  readonly #options: HistoryExplainerOptions;
  readonly #split = new WorkflowTasks();
  #first: HistoryEvent | undefined;
  #workflowId = '';
  #commands: CommandIndex | undefined;
  #replayed: ReplayedRun | undefined;
  #isStale = false;

  /** @throws TypeError for what is neither a machine nor a workflow made of one. */
  constructor(source: MachineSource, options: HistoryExplainerOptions = {}) {
    this.#definition = requireDefinition(source);
    this.#options = options;
  }

  /**
   * What was added last says something else of what was added before, as a patch marker does: begin anew with all of the history.
   * It is seldom so.
   */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** The macrosteps. One whose effects have no event yet may still change, and so may the last one. */
  get steps(): readonly Macrostep[] {
    return this.#replayed?.run.steps ?? [];
  }

  /** @throws Error before events were added. */
  get replayed(): ReplayedRun {
    if (this.#replayed === undefined) throw new Error('no events were added');
    return this.#replayed;
  }

  /**
   * Explains further events. They follow those that were added before, without a gap.
   *
   * @throws HistoryError when it is no history of a machine's workflow. Begin anew then, also after any other error.
   */
  async add(history: unknown): Promise<void> {
    const { pause } = this.#options;
    const raw = rawEventsOf(history);
    const tasks: WorkflowTask[] = [];
    const known: RecordedCommand[] = [];
    for (const events of lotsOf(raw)) {
      await pause?.();
      const commands = (this.#commands ??= this.#begin(events, raw));
      const read = this.#split.add(events);
      if (read.changed !== undefined) this.#isStale = true;
      tasks.push(...read.tasks);
      known.push(...commands.add(read.tasks));
    }
    await this.#perform(tasks, known);
  }

  /** What the history tells so far. */
  get explanation(): Explanation {
    const { run, lineage, divergence } = this.replayed;
    const { closed, waiting, failedTasks } = this.#split;
    const held =
      lineage.held ?? (closed === undefined || run.steps.length === 0 ? lineage.obstacle : undefined);
    const isCompleted = closed?.type === 'WorkflowExecutionCompleted';
    const [output] = isCompleted ? valuesOf(closed.attributes['result']) : [];
    return {
      workflowId: this.#workflowId,
      runId: textOf(this.#first?.attributes ?? {}, 'originalExecutionRunId'),
      machine: lineage.recorded ?? (lineage.obstacle === undefined ? lineage.current.identity : null),
      steps: run.steps,
      status: held !== undefined && closed === undefined ? 'held' : statusOf(closed),
      state: run.steps.at(-1)?.to ?? '',
      ...(isCompleted ? { output } : {}),
      ...(closed?.type === 'WorkflowExecutionFailed'
        ? { error: errorOf(fieldsOf(closed.attributes, 'failure')) }
        : {}),
      running: run.isOver ? [] : run.running,
      waiting: waiting.map(({ id }) => id),
      failedTasks: failedTasks.map(({ eventId, event }) => ({ eventId, reason: reasonOf(event) })),
      ...(divergence === undefined ? {} : { divergence: divergence.divergence }),
      ...(held === undefined ? {} : { held }),
    };
  }

  /** The type of the workflow. */
  get workflowType(): string {
    return textOf(fieldsOf(this.#first?.attributes ?? {}, 'workflowType'), 'name');
  }

  #begin([first]: readonly HistoryEvent[], raw: readonly unknown[]): CommandIndex {
    if (first?.type !== 'WorkflowExecutionStarted')
      throw new HistoryError('history: expected WorkflowExecutionStarted as its first event');
    this.#first = first;
    this.#workflowId = this.#options.workflowId ?? workflowIdOf(first, raw);
    return new CommandIndex(this.#workflowId);
  }

  async #perform(tasks: readonly WorkflowTask[], known: readonly RecordedCommand[]): Promise<void> {
    const { pause, trusts = true } = this.#options;
    const [first, commands, definition] = [this.#first, this.#commands, this.#definition];
    if (first === undefined || commands === undefined) return;
    if (this.#replayed?.wouldDiffer(known) === true) this.#isStale = true;
    if (this.#isStale) return;
    const workflowId = this.#workflowId;
    this.#replayed ??= new ReplayedRun({ definition, workflowId, first, commands, known, trusts });
    await this.#replayed.perform(tasks, pause);
  }
}

function* lotsOf(raw: readonly unknown[]): Generator<readonly HistoryEvent[], void, void> {
  let lot: HistoryEvent[] = [];
  for (const [index, one] of raw.entries()) {
    const event = eventOf(one, index);
    if (lot.length >= LOT && event.type === 'WorkflowTaskStarted') {
      yield lot;
      lot = [];
    }
    lot.push(event);
  }
  if (lot.length > 0) yield lot;
}

const STATUS: Readonly<Record<string, RunStatus>> = {
  WorkflowExecutionCompleted: 'completed',
  WorkflowExecutionFailed: 'failed',
  WorkflowExecutionCanceled: 'cancelled',
  WorkflowExecutionTerminated: 'terminated',
  WorkflowExecutionTimedOut: 'timed out',
  WorkflowExecutionContinuedAsNew: 'continued as new',
};

const statusOf = (closed: HistoryEvent | undefined): RunStatus =>
  (closed === undefined ? undefined : STATUS[closed.type]) ?? 'running';

function reasonOf({ type, attributes }: HistoryEvent): string {
  const message = textOf(fieldsOf(attributes, 'failure'), 'message');
  return message === '' ? type : message;
}

/** The server writes the id into the start of newer histories, and a child's id tells that of its parent. */
function workflowIdOf(first: HistoryEvent, raw: readonly unknown[]): string {
  const id = textOf(first.attributes, 'workflowId');
  if (id !== '') return id;
  const child = raw
    .map((event, index) => eventOf(event, index))
    .find(({ type }) => type === 'StartChildWorkflowExecutionInitiated');
  return child === undefined ? '' : textOf(child.attributes, 'workflowId').split('/').slice(0, -2).join('/');
}
