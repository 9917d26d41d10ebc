import { checkPayloadSize } from './payload-size.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { badCommand, CommandError, requireAttributes, requireShort } from '../protocol/command-error.ts';
import { long } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent, type Command, type CommandContext } from './context.ts';
import { applyUpdateAnswer } from '../updates/apply-answer.ts';
import { CommandType, WorkflowTaskFailedCause } from '../protocol/proto.ts';
import { cancelWorkflow, completeWorkflow, continueAsNewWorkflow, failWorkflow } from './close-workflow.ts';
import {
  requestCancelExternalWorkflow,
  signalExternalWorkflow,
  startChildWorkflow,
} from './other-workflows.ts';
import { modifyWorkflowProperties, upsertSearchAttributes } from './run-properties.ts';
import { requestCancelActivityTask, scheduleActivityTask } from './activities.ts';
import { cancelTimer, startTimer } from './timers.ts';

const MARKER = 'BAD_RECORD_MARKER_ATTRIBUTES';
const MESSAGE = 'BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE';

const recordMarker: CommandHandler = (context, command) => {
  const attributes = requireAttributes(MARKER, 'RecordMarker', command.recordMarkerCommandAttributes);
  if (!attributes.markerName) throw badCommand(MARKER, 'MarkerName is not set on RecordMarkerCommand.');
  requireShort(MARKER, 'MarkerName', 'RecordMarker', attributes.markerName);
  appendCommandEvent(context, command, {
    markerRecordedEventAttributes: {
      markerName: attributes.markerName,
      details: attributes.details ?? {},
      workflowTaskCompletedEventId: long(context.completedEventId),
      header: attributes.header ?? null,
      failure: attributes.failure ?? null,
    },
  });
};

/** Applies a message (an update's acceptance or response) at its place among the other commands. */
const protocolMessage: CommandHandler = (context, command) => {
  const { messageId } = requireAttributes(
    MESSAGE,
    'ProtocolMessage',
    command.protocolMessageCommandAttributes,
  );
  if (!messageId) throw badCommand(MESSAGE, 'MessageID is not set on ProtocolMessageCommand.');
  const message = context.messages.get(messageId);
  if (!message) {
    throw badCommand(MESSAGE, `ProtocolMessageCommand referenced absent message ID ${messageId}`);
  }
  context.messages.delete(messageId);
  applyUpdateAnswer(context.services.updates, context.state, message);
};

const HANDLERS: ReadonlyMap<number, CommandHandler> = new Map([
  [CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK, scheduleActivityTask],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK, requestCancelActivityTask],
  [CommandType.COMMAND_TYPE_START_TIMER, startTimer],
  [CommandType.COMMAND_TYPE_CANCEL_TIMER, cancelTimer],
  [CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION, completeWorkflow],
  [CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION, failWorkflow],
  [CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION, cancelWorkflow],
  [CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION, continueAsNewWorkflow],
  [CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION, startChildWorkflow],
  [CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION, signalExternalWorkflow],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION, requestCancelExternalWorkflow],
  [CommandType.COMMAND_TYPE_RECORD_MARKER, recordMarker],
  [CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES, upsertSearchAttributes],
  [CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES, modifyWorkflowProperties],
  [CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE, protocolMessage],
]);

const CLOSING: ReadonlySet<number> = new Set([
  CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
]);

/** Refuses commands that are in no order or of no type that there is, before the answer changes anything. */
export function checkCommandSequence(commands: readonly Command[]): void {
  let closing: string | undefined;
  for (const { commandType } of commands) {
    const type = commandType ?? 0;
    if (closing !== undefined) {
      const names = commands.map((command) => nameOf(command.commandType ?? 0));
      throw invalidArgument(
        `invalid command sequence: [${names.join(', ')}], command ${closing} must be the last command.`,
      );
    }
    if (CLOSING.has(type)) closing = nameOf(type);
    else if (CommandType[type] === undefined || type === CommandType.COMMAND_TYPE_UNSPECIFIED) {
      throw invalidArgument(`unknown command type: ${nameOf(type)}`);
    }
  }
}

/** The name of a type as the server writes it, such as `StartTimer`. */
function nameOf(type: number): string {
  const constant: string | undefined = CommandType[type];
  const words = constant?.replace('COMMAND_TYPE_', '').toLowerCase().split('_');
  return words?.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('') ?? String(type);
}

/**
 * Applies a worker's commands in order. A command that closes the run is refused while events are buffered that the
 * workflow has not seen: the worker gets another task with them and may decide otherwise.
 */
export function applyCommands(context: CommandContext, commands: readonly Command[]): void {
  for (const command of commands) {
    const type = command.commandType ?? 0;
    const handler = HANDLERS.get(type);
    if (!handler) {
      throw new CommandError(
        WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FEATURE_DISABLED,
        `command type ${type} is not implemented by the embedded engine`,
      );
    }
    if (CLOSING.has(type) && context.state.hasBufferedEvents) {
      throw new CommandError(
        WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
        'UnhandledCommand',
      );
    }
    if (!context.state.isRunning) break;
    checkPayloadSize(command, context.services.limits.blobBytes);
    handler(context, command);
  }
}
