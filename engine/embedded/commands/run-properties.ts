import type { temporal } from '@temporalio/proto';
import { checkCommand } from '../protocol/command-error.ts';
import { SearchAttributes, fromEncodedOptional, toEncoded, Memo } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { mergeSearchAttributes } from '../visibility/search-attribute-registry.ts';
import { type CommandContext, type CommandHandler, appendCommandEvent } from './context.ts';

type ISearchAttributes = temporal.api.common.v1.ISearchAttributes;

/** Fills in the attributes' types; throws a `CommandError` for an unknown name or a wrong value. */
export function validatedSearchAttributes(
  context: CommandContext,
  attributes: ISearchAttributes | null | undefined,
): ISearchAttributes | null {
  const fields = attributes?.indexedFields;
  if (!fields) return null;
  const indexedFields = checkCommand('BAD_SEARCH_ATTRIBUTES', () =>
    context.services.searchAttributes.validate(context.state.ref.namespace, fields),
  );
  return { indexedFields };
}

export const upsertSearchAttributes: CommandHandler = (context, command) => {
  const { record } = context.state;
  const given = command.upsertWorkflowSearchAttributesCommandAttributes?.searchAttributes;
  const searchAttributes = validatedSearchAttributes(context, given);
  appendCommandEvent(context, command, {
    upsertWorkflowSearchAttributesEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      searchAttributes,
    },
  });
  const current = fromEncodedOptional(SearchAttributes, record.searchAttributes);
  record.searchAttributes = toEncoded(SearchAttributes, {
    indexedFields: mergeSearchAttributes(current?.indexedFields ?? {}, searchAttributes?.indexedFields ?? {}),
  });
  context.state.visibilityChanged = true;
};

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
