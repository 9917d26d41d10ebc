import { type CommandContext, CommandError } from '../commands/context.ts';
import { WorkflowTaskFailedCause } from '../proto.ts';
import { long, toNumber } from '../proto-values.ts';
import { type ProtocolMessage, type UpdateAnswer, readUpdateAnswer } from './messages.ts';
import type { UpdateProgress } from './update-registry.ts';

/** Applies what a worker says about an update: writes its event, and tells its callers once that is committed. */
export function applyUpdateAnswer(context: CommandContext, message: ProtocolMessage): void {
  const answer = readUpdateAnswer(message);
  const id = message.protocolInstanceId ?? '';
  if (!answer) throw bad(`unknown message type ${message.body?.type_url ?? ''}`);
  switch (answer.kind) {
    case 'accept':
      accept(context, id, answer.body);
      return;
    case 'respond':
      complete(context, id, answer.body);
      return;
    case 'reject':
      tell(context, id, {
        stage: 'completed',
        outcome: { failure: answer.body.failure ?? {} },
        rejected: true,
      });
      return;
  }
}

type Body<K extends UpdateAnswer['kind']> = Extract<UpdateAnswer, { kind: K }>['body'];

function accept(context: CommandContext, id: string, body: Body<'accept'>): void {
  const { kernel, state } = context;
  const update = kernel.updates.find(state.ref, id);
  if (!update || state.record.updates[id]) throw bad(`update ${id} is not waiting to be accepted`);
  const event = state.append({
    workflowExecutionUpdateAcceptedEventAttributes: {
      protocolInstanceId: id,
      acceptedRequestMessageId: body.acceptedRequestMessageId || `${id}/request`,
      acceptedRequestSequencingEventId: long(toNumber(body.acceptedRequestSequencingEventId)),
      acceptedRequest: update.request ?? body.acceptedRequest ?? null,
    },
  });
  state.record.updates[id] = { acceptedEventId: toNumber(event.eventId) };
  tell(context, id, { stage: 'accepted' });
}

function complete(context: CommandContext, id: string, body: Body<'respond'>): void {
  const { state } = context;
  const record = state.record.updates[id];
  if (!record || record.completedEventId !== undefined) throw bad(`update ${id} is not accepted`);
  const outcome = body.outcome ?? {};
  const event = state.append({
    workflowExecutionUpdateCompletedEventAttributes: {
      meta: body.meta ?? { updateId: id },
      acceptedEventId: long(record.acceptedEventId),
      outcome,
    },
  });
  record.completedEventId = toNumber(event.eventId);
  tell(context, id, { stage: 'completed', outcome, rejected: false });
}

function tell(context: CommandContext, id: string, progress: UpdateProgress): void {
  const { kernel, state } = context;
  kernel.group.afterCommit(() => kernel.updates.advance(state.ref, id, progress));
}

function bad(message: string): CommandError {
  return new CommandError(
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE,
    `BadUpdateWorkflowExecutionMessage: ${message}`,
  );
}
