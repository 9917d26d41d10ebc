import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { CommandIndex } from './command-index.ts';
import type { HistoryMailbox } from './history-mailbox.ts';
import type { Microtasks, Ticks } from './microtasks.ts';
import type { SteppedMachine } from './stepped-machine.ts';
import type { TaskAtHand } from './task-at-hand.ts';

/** What all that takes part in the replay of a history shares. */
export interface ReplayParts {
  readonly definition: WorkflowDefinition;
  readonly commands: CommandIndex;
  readonly workflowId: string;
  readonly hand: TaskAtHand;
  readonly machine: SteppedMachine;
  readonly mailbox: HistoryMailbox;
  readonly microtasks: Microtasks;
  readonly ticks: Ticks;
}
