import { badCommand } from '../protocol/command-error.ts';
import { long } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent } from './context.ts';

export const recordMarker: CommandHandler = (context, command) => {
  const attributes = command.recordMarkerCommandAttributes ?? {};
  if (!attributes.markerName) {
    throw badCommand('BAD_RECORD_MARKER_ATTRIBUTES', 'MarkerName is not set on RecordMarkerCommand.');
  }
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
