import type { temporal } from '@temporalio/proto';
import type { HistoryEvent, PayloadForm } from '../shapes/history.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { protoJson } from '../wire/proto-json.ts';
import { payloadLink } from './payload-link.ts';

export type WireEvent = temporal.api.history.v1.IHistoryEvent;

export const eventIdOf = ({ eventId }: WireEvent): number => Number(String(eventId ?? 0));

/** Events of a run as JSON, with their payloads decoded beside them or in the form asked for. */
export async function eventsJson(
  events: readonly WireEvent[],
  run: { readonly workflowId: string; readonly runId: string },
  reader: PayloadReader,
  form: PayloadForm,
): Promise<HistoryEvent[]> {
  const json = events.map((event) => protoJson('history.v1.HistoryEvent', event) as HistoryEvent);
  await reader.decode(
    json.map((message) => ({
      message,
      hrefOf: (path) => payloadLink(run, path, Number(message.eventId)),
    })),
    form,
  );
  return json;
}
