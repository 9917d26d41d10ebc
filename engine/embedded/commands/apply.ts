import { CommandError } from '../protocol/command-error.ts';
import { CommandType, WorkflowTaskFailedCause } from '../protocol/proto.ts';
import { cancelWorkflow, completeWorkflow, continueAsNewWorkflow, failWorkflow } from './close-workflow.ts';
import { type Command, type CommandContext, type CommandHandler } from './context.ts';
import { requestCancelExternalWorkflow, signalExternalWorkflow } from './external-workflow.ts';
import { modifyWorkflowProperties } from './modify-properties.ts';
import { protocolMessage } from './protocol-message.ts';
import { recordMarker } from './record-marker.ts';
import { requestCancelActivityTask } from './request-cancel-activity-task.ts';
import { scheduleActivityTask } from './schedule-activity-task.ts';
import { upsertSearchAttributes } from './search-attributes.ts';
import { startChildWorkflow } from './start-child-workflow.ts';
import { cancelTimer, startTimer } from './timers.ts';

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
    handler(context, command);
  }
}
