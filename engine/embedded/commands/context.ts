import type { temporal } from '@temporalio/proto';
import type { EventAttributes, EventExtras, HistoryEvent } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import type { RunServices } from '../runs/create-run.ts';
import type { ProtocolMessage } from '../updates/messages.ts';
import type { UpdateRegistry } from '../updates/update-registry.ts';
import type { SearchAttributeRegistry } from '../visibility/search-attribute-registry.ts';

export type Command = temporal.api.command.v1.ICommand;

/** What applying commands takes. */
export interface CommandServices extends RunServices {
  readonly searchAttributes: SearchAttributeRegistry;
  readonly updates: UpdateRegistry;
}

/** One workflow task completion, while its commands are applied. */
export interface CommandContext {
  readonly services: CommandServices;
  readonly state: MutableState;
  readonly identity: string;
  /** The task's completed event, which the events of its commands refer to. */
  readonly completedEventId: number;
  /** The messages by id, for the commands that say when they apply. */
  readonly messages: Map<string, ProtocolMessage>;
  /** The activities that go back to the worker with the answer instead of through a queue. */
  readonly eager: ActivityRecord[];
  /** Whether something happened that the workflow must see in another task. */
  needsWorkflowTask: boolean;
}

/** Applies one type of command; throws `CommandError` when the worker must not have sent it. */
export type CommandHandler = (context: CommandContext, command: Command) => void;

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
