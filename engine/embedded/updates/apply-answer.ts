import type { MutableState } from '../mutable-state/mutable-state.ts';
import { badCommand } from '../protocol/command-error.ts';
import { long, toNumber } from '../protocol/values.ts';
import { type ProtocolMessage, type UpdateAnswer, readUpdateAnswer } from './messages.ts';
import type { UpdateProgress, UpdateRegistry } from './update-registry.ts';

const CAUSE = 'BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE';

/** Applies what a worker says about an update: writes its event, and informs its callers once that is committed. */
export function applyUpdateAnswer(
  updates: UpdateRegistry,
  state: MutableState,
  message: ProtocolMessage,
): void {
  const answer = readUpdateAnswer(message);
  const id = message.protocolInstanceId ?? '';
  if (!answer) throw badCommand(CAUSE, `unknown message type ${message.body?.type_url ?? ''}`);
  switch (answer.kind) {
    case 'accept':
      accept(updates, state, id, answer.body);
      return;
    case 'respond':
      complete(updates, state, id, answer.body);
      return;
    case 'reject':
      if (state.record.updates[id]?.acceptedEventId === undefined) delete state.record.updates[id];
      advance(updates, state, id, {
        stage: 'completed',
        outcome: { failure: answer.body.failure ?? {} },
        rejected: true,
      });
      return;
  }
}

type Body<K extends UpdateAnswer['kind']> = Extract<UpdateAnswer, { kind: K }>['body'];

function accept(updates: UpdateRegistry, state: MutableState, id: string, body: Body<'accept'>): void {
  const update = updates.find(state.ref, id);
  const record = state.record.updates[id];
  const isAdmitted = record ? record.acceptedEventId === undefined : update !== undefined;
  if (!isAdmitted) throw badCommand(CAUSE, `update ${id} is not waiting to be accepted`);
  const event = state.append({
    workflowExecutionUpdateAcceptedEventAttributes: {
      protocolInstanceId: id,
      acceptedRequestMessageId: body.acceptedRequestMessageId || `${id}/request`,
      acceptedRequestSequencingEventId: long(toNumber(body.acceptedRequestSequencingEventId)),
      // The request of an update that a reset took over stands in its admitted event.
      acceptedRequest: record ? null : (update?.request ?? body.acceptedRequest ?? null),
    },
  });
  state.record.updates[id] = { ...record, acceptedEventId: toNumber(event.eventId) };
  advance(updates, state, id, { stage: 'accepted' });
}

function complete(updates: UpdateRegistry, state: MutableState, id: string, body: Body<'respond'>): void {
  const record = state.record.updates[id];
  if (record?.acceptedEventId === undefined || record.completedEventId !== undefined)
    throw badCommand(CAUSE, `update ${id} is not accepted`);
  const outcome = body.outcome ?? {};
  const event = state.append({
    workflowExecutionUpdateCompletedEventAttributes: {
      meta: body.meta ?? { updateId: id },
      acceptedEventId: long(record.acceptedEventId),
      outcome,
    },
  });
  record.completedEventId = toNumber(event.eventId);
  advance(updates, state, id, { stage: 'completed', outcome, rejected: false });
}

function advance(updates: UpdateRegistry, state: MutableState, id: string, progress: UpdateProgress): void {
  state.afterCommit(() => updates.advance(state.ref, id, progress));
}

const UNPROCESSED = {
  failure: {
    message:
      "Workflow Update is rejected because it wasn't processed by worker. Probably, Workflow Update is not supported by the worker.",
    source: 'Server',
    applicationFailureInfo: { type: 'UnprocessedUpdate', nonRetryable: true },
  },
};

/** Rejects the updates that a worker was sent with its task but did not mention in its answer. */
export function rejectUnprocessed(updates: UpdateRegistry, state: MutableState): void {
  const { ref } = state;
  const sent = updates
    .all(ref)
    .filter(
      (update) => update.sent && update.progress.stage === 'admitted' && !state.record.updates[update.id],
    );
  if (sent.length === 0) return;
  state.afterCommit(() => {
    for (const update of sent) {
      if (update.progress.stage !== 'admitted') continue;
      updates.advance(ref, update.id, { stage: 'completed', outcome: UNPROCESSED, rejected: true });
    }
  });
}
