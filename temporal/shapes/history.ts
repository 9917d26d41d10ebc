import { z } from 'zod';

/**
 * An event in the JSON form of Temporal's protobuf, e.g. `{ eventId: '5', eventTime, eventType: 'EVENT_TYPE_TIMER_STARTED',
 * timerStartedEventAttributes: { … } }`. Every payload in it (`{ metadata, data }`) has its value beside it, as `decoded`.
 */
export const historyEvent = z.looseObject({
  eventId: z.string().describe('A number as text, as proto JSON has it'),
  eventTime: z.string(),
  eventType: z.string().describe('`EVENT_TYPE_…`'),
});
export type HistoryEvent = z.output<typeof historyEvent>;

export const PAYLOAD_FORMS = ['both', 'decoded', 'raw'] as const;
export type PayloadForm = (typeof PAYLOAD_FORMS)[number];

export const historyPage = z.object({
  run_id: z.string().describe('The run that is read; pages never change over to another'),
  data: z.array(historyEvent),
  next_page: z
    .string()
    .nullable()
    .describe(
      'With `wait`, null once the run has closed and its last event stands here; else at the last event',
    ),
});
export type HistoryPage = z.output<typeof historyPage>;

/** What the stream sends: events under their ids, and how it ended. */
export const historyStreamEvent = z.union([
  historyEvent,
  z.object({
    type: z.literal('history_end'),
    run_id: z.string(),
    last_event_id: z.int(),
    closed_by: z.string().describe('The type of its last event'),
    next_run_id: z.string().nullable().describe('The run that goes on in its place'),
  }),
]);

/** The file that Temporal's own tools read and write. */
export const historyFile = z.object({ events: z.array(historyEvent) });
