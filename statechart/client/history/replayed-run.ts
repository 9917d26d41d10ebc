import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { MachineStart } from '../../workflow/machine-start.ts';
import type { CommandIndex, RecordedCommand } from './command-index.ts';
import { DivergenceError } from './divergence-error.ts';
import { HistoryError, isFields, type HistoryEvent } from './history-event.ts';
import { HistoryLineage } from './history-lineage.ts';
import { HistoryRun } from './history-run.ts';
import { inferredActors } from './inferred-actors.ts';
import { valuesOf } from './payloads.ts';
import type { WorkflowTask } from './workflow-tasks.ts';

interface ReplayedRunOptions {
  readonly definition: WorkflowDefinition;
  readonly workflowId: string;
  /** The history's first event. */
  readonly first: HistoryEvent;
  /** Holds the commands of all tasks that are known. */
  readonly commands: CommandIndex;
  /** The same commands, before any was taken. */
  readonly known: readonly RecordedCommand[];
  readonly trusts: boolean;
}

/** The machine of a history with what was decided of it by all that was known when it began. */
export class ReplayedRun {
  readonly run: HistoryRun;
  readonly lineage: HistoryLineage;
  readonly #definition: WorkflowDefinition;
  readonly #commands: CommandIndex;
  readonly #marks: number;
  readonly #inferred: ReadonlySet<string>;
  #last: WorkflowTask | undefined;
  #divergence: DivergenceError | undefined;

  /** @throws HistoryError where the history is of another kind of workflow. */
  constructor({ definition, workflowId, first, commands, known, trusts }: ReplayedRunOptions) {
    const [start] = valuesOf(first.attributes['input']) as readonly (MachineStart | undefined)[];
    if (start !== undefined && !isFields(start))
      throw new HistoryError(
        'history: expected the argument of a machine’s workflow, an object with an input',
      );
    const inferred = inferredActors(definition.machine, known);
    this.#definition = definition;
    this.#commands = commands;
    this.#marks = commands.marks.size;
    this.#inferred = new Set(Object.keys(inferred));
    const { marks } = commands;
    this.lineage = new HistoryLineage({ definition, inferred, carried: start?.carried, marks, trusts });
    this.run = new HistoryRun({ definition, lineage: this.lineage, commands, workflowId });
  }

  /** Where the machine would have done something else. */
  get divergence(): DivergenceError | undefined {
    return this.#divergence;
  }

  /** Whether further commands say something of the machine that should have been known from the beginning. */
  wouldDiffer(further: readonly RecordedCommand[]): boolean {
    // The next task may have the commands of the last one, which seemed to lack them.
    const hasPartedLast = this.#divergence?.divergence.taskId === this.#last?.completedId;
    if (this.#divergence !== undefined && hasPartedLast) return true;
    if (this.#commands.marks.size > this.#marks) return true;
    const { machine, actors = {} } = this.#definition;
    return Object.keys(inferredActors(machine, further)).some(
      (src) => !this.#inferred.has(src) && !Object.hasOwn(actors, src),
    );
  }

  /** Performs tasks, which are those that follow. */
  async perform(
    tasks: readonly WorkflowTask[],
    pause: (() => Promise<void> | undefined) | undefined,
  ): Promise<void> {
    // Without its machine a run cannot be followed.
    if (this.lineage.obstacle !== undefined || this.#divergence !== undefined) return;
    this.#last = tasks.at(-1) ?? this.#last;
    try {
      for (const [index, task] of tasks.entries()) {
        await pause?.();
        await this.run.perform(task, tasks[index + 1]);
      }
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      this.#divergence = error;
    }
  }
}
