import type { temporal } from '@temporalio/proto';
import {
  PayloadTooLargeError,
  badCommand,
  checkCommand,
  requireAttributes,
} from '../protocol/command-error.ts';
import { applyMemo, applySearchAttributes } from '../mutable-state/properties.ts';
import { long } from '../protocol/values.ts';
import { AttributeTooLargeError } from '../visibility/attribute-values.ts';
import { type CommandContext, type CommandHandler, appendCommandEvent } from './context.ts';

const UPSERT = 'BAD_SEARCH_ATTRIBUTES';
const MODIFY = 'BAD_MODIFY_WORKFLOW_PROPERTIES_ATTRIBUTES';

type ISearchAttributes = temporal.api.common.v1.ISearchAttributes;

/** Fills in the attributes' types; throws a `CommandError` for an unknown name or a wrong value. One too large ends the run. */
export function validatedSearchAttributes(
  context: CommandContext,
  attributes: ISearchAttributes | null | undefined,
): ISearchAttributes | null {
  const fields = attributes?.indexedFields;
  if (!fields) return null;
  const { services, state } = context;
  const indexedFields = checkCommand('BAD_SEARCH_ATTRIBUTES', () => {
    try {
      return services.searchAttributes.validate(state.ref.namespace, fields);
    } catch (error) {
      if (!(error instanceof AttributeTooLargeError)) throw error;
      throw new PayloadTooLargeError('BAD_SEARCH_ATTRIBUTES', error.message);
    }
  });
  return { indexedFields };
}

export const upsertSearchAttributes: CommandHandler = (context, command) => {
  const { record } = context.state;
  const { searchAttributes: given } = requireAttributes(
    UPSERT,
    'UpsertWorkflowSearchAttributes',
    command.upsertWorkflowSearchAttributesCommandAttributes,
  );
  if (!given) {
    throw badCommand(UPSERT, 'SearchAttributes is not set on UpsertWorkflowSearchAttributesCommand.');
  }
  if (Object.keys(given.indexedFields ?? {}).length === 0) {
    throw badCommand(UPSERT, 'IndexedFields is not set on UpsertWorkflowSearchAttributesCommand.');
  }
  const searchAttributes = validatedSearchAttributes(context, given);
  appendCommandEvent(context, command, {
    upsertWorkflowSearchAttributesEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      searchAttributes,
    },
  });
  applySearchAttributes(record, searchAttributes);
  context.state.visibilityChanged = true;
};

export const modifyWorkflowProperties: CommandHandler = (context, command) => {
  const { record } = context.state;
  const { upsertedMemo } = requireAttributes(
    MODIFY,
    'ModifyWorkflowProperties',
    command.modifyWorkflowPropertiesCommandAttributes,
  );
  if (!upsertedMemo) {
    throw badCommand(MODIFY, 'UpsertedMemo is not set on ModifyWorkflowPropertiesCommand.');
  }
  if (Object.keys(upsertedMemo.fields ?? {}).length === 0) {
    throw badCommand(MODIFY, 'UpsertedMemo.Fields is not set on ModifyWorkflowPropertiesCommand.');
  }
  appendCommandEvent(context, command, {
    workflowPropertiesModifiedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      upsertedMemo,
    },
  });
  applyMemo(record, upsertedMemo);
  context.state.visibilityChanged = true;
};
