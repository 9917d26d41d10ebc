import { badCommand } from '../protocol/command-error.ts';
import { applyUpdateAnswer } from '../updates/apply-answer.ts';
import { type CommandHandler } from './context.ts';

/** Applies a message (an update's acceptance or response) at its place among the other commands. */
export const protocolMessage: CommandHandler = (context, command) => {
  const messageId = command.protocolMessageCommandAttributes?.messageId ?? '';
  const message = context.messages.get(messageId);
  if (!message) {
    throw badCommand(
      'BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE',
      `ProtocolMessageCommand referenced absent message ID ${messageId}`,
    );
  }
  context.messages.delete(messageId);
  applyUpdateAnswer(context.services.updates, context.state, message);
};
