import { localActivityOf, marksOf } from './command-index.ts';
import { DivergenceError } from './divergence-error.ts';
import { numberOf, type HistoryEvent } from './history-event.ts';
import type { WorkflowTask } from './workflow-tasks.ts';

/** The workflow task that is being replayed. */
export class TaskAtHand {
  #task: WorkflowTask | undefined;
  #marks: ReadonlySet<string> = new Set();
  /** The tasks that may have the commands of this one. */
  #owners: ReadonlySet<number> = new Set();

  /**
   * @param next The task after this one. It may have the commands of this one where nothing came in by it, or where a local
   * activity kept this one busy.
   */
  begin(task: WorkflowTask, next: WorkflowTask | undefined): void {
    this.#task = task;
    const isSplit =
      next !== undefined &&
      (next.incoming.length === 0 || task.commands.some((event) => localActivityOf(event) !== undefined));
    this.#owners = new Set(isSplit ? [task.completedId, next.completedId] : [task.completedId]);
    this.#marks = marksOf(task.commands);
  }

  get task(): WorkflowTask {
    if (this.#task === undefined) throw new Error('the history has no workflow task');
    return this.#task;
  }

  /** The ids of its patch markers. */
  get marks(): ReadonlySet<string> {
    return this.#marks;
  }

  get continuesAsNew(): boolean {
    return this.task.commands.some(({ type }) => type === 'WorkflowExecutionContinuedAsNew');
  }

  /** Whether a command may have been given in this task. */
  owns(command: HistoryEvent): boolean {
    return this.#owners.has(ownerOf(command));
  }

  /** Whether the history has the command in this task and not in the next one. */
  has(command: HistoryEvent): boolean {
    return ownerOf(command) === this.task.completedId;
  }

  /** @throws DivergenceError always. */
  part(reason: string, eventId?: number): never {
    const taskId = this.task.completedId;
    throw new DivergenceError({ taskId, reason, ...(eventId === undefined ? {} : { eventId }) });
  }
}

const ownerOf = ({ attributes }: HistoryEvent): number =>
  numberOf(attributes['workflowTaskCompletedEventId']);
