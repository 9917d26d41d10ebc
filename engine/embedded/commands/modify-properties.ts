import type { temporal } from '@temporalio/proto';
import { Memo, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent } from './context.ts';

type Fields = Record<string, temporal.api.common.v1.IPayload>;

export const modifyWorkflowProperties: CommandHandler = (context, command) => {
  const { record } = context.state;
  const upsertedMemo = command.modifyWorkflowPropertiesCommandAttributes?.upsertedMemo ?? null;
  appendCommandEvent(context, command, {
    workflowPropertiesModifiedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      upsertedMemo,
    },
  });
  const fields: Fields = { ...fromEncodedOptional(Memo, record.memo)?.fields };
  for (const [name, payload] of Object.entries(upsertedMemo?.fields ?? {})) {
    if (isNull(payload)) delete fields[name];
    else fields[name] = payload;
  }
  record.memo = toEncoded(Memo, { fields });
  context.state.visibilityChanged = true;
};

/** Whether a payload says "no value", which removes the field. */
function isNull(payload: temporal.api.common.v1.IPayload): boolean {
  return (
    Buffer.from(payload.metadata?.['encoding'] ?? []).toString() === 'binary/null' || !payload.data?.length
  );
}
