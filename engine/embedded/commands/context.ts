import type { temporal } from '@temporalio/proto';
import type { EventAttributes, EventExtras, HistoryEvent } from '../history/events.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import type { ProtocolMessage } from '../updates/messages.ts';

export type Command = temporal.api.command.v1.ICommand;

/** One workflow task completion, while its commands are applied. */
export interface CommandContext {
  readonly kernel: Kernel;
  readonly state: MutableState;
  readonly identity: string;
  /** The task's completed event: the origin of everything the commands cause. */
  readonly completedEventId: number;
  /** Messages by id, for the commands that say when they apply. */
  readonly messages: Map<string, ProtocolMessage>;
  /** Activities that go back to the worker with the answer instead of through a queue. */
  readonly eager: ActivityRecord[];
  /** Something happened that the workflow must see in another task. */
  wake: boolean;
}

/** Applies one type of command; throws `CommandError` when the worker must not have sent it. */
export type CommandHandler = (context: CommandContext, command: Command) => void;

/** A command that the server refuses: the workflow task fails with this cause and message. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause;

  constructor(failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause, message: string) {
    super(message);
    this.failedCause = failedCause;
  }
}

/** Writes a command's event, with the metadata that the command carries. */
export function appendCommandEvent(
  context: CommandContext,
  command: Command,
  attributes: EventAttributes,
): HistoryEvent {
  const extras: EventExtras = {
    userMetadata: command.userMetadata ?? null,
    eventGroupMarkers: command.eventGroupMarkers ?? [],
  };
  return context.state.append(attributes, extras);
}
