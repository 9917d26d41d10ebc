import { z } from 'zod';
import { Query } from '@steadyhand/sessions';
import { historyFile, historyPage, historyStreamEvent, PAYLOAD_FORMS } from '@steadyhand/temporal/shapes';
import { InvalidRequestError } from '@steadyhand/contracts';
import { openEventStream } from '../../http/event-stream.ts';
import { goneSignal } from '../../http/gone-signal.ts';
import { sendJsonText } from '../../http/send.ts';
import { eventStream, jsonPieces } from '../../routing/shapes.ts';
import { FAULTS, limit, page, pageOf, route, runId, runOf } from './route.ts';

const payloads = z
  .enum(PAYLOAD_FORMS)
  .default('both')
  .describe('`decoded` leaves out `data`, `raw` leaves out `decoded`');

const historyShape = {
  run_id: runId,
  limit: limit(1000, 200),
  page,
  order: z.enum(['asc', 'desc']).default('asc'),
  wait: z
    .boolean()
    .default(false)
    .describe(
      'Where there is nothing more yet, waits up to 20 s for news; `next_page` is null once it has closed',
    ),
  payloads,
};

const streamShape = {
  run_id: runId,
  after: z.int().min(0).default(0).describe('Begins after the event of this id'),
  payloads,
};

/** The routes of a run's history. */
export const historyRoutes = [
  route('GET /v1/workflows/{workflow_id}/history', 'listWorkflowHistory', 'List a workflow’s history', {
    description: 'Events as proto JSON, each payload with its value beside it as `decoded`.',
    query: historyShape,
    answer: historyPage,
    errors: FAULTS,
    handle: ({ workflows, draining }, call) => {
      const run = runOf(call);
      const query = new Query(call.search, historyShape);
      const request = {
        ...pageOf(call.search, historyShape),
        order: query.choice('order'),
        wait: query.boolean('wait'),
        payloads: query.choice('payloads'),
      };
      if (request.wait && request.order === 'desc')
        throw new InvalidRequestError('wait: Expected with the order asc alone');
      return workflows.history(run, request, goneSignal(call.res, draining));
    },
  }),
  route('GET /v1/workflows/{workflow_id}/history/stream', 'streamWorkflowHistory', 'Stream a history', {
    description:
      'Sends `workflow_event` with the events that there are, then new ones as they come, and `history_end` when the run has closed.',
    headers: {
      'last-event-id': z.string().describe('In place of `after`, as browsers send it after a cut').optional(),
    },
    query: streamShape,
    answer: eventStream(historyStreamEvent),
    errors: FAULTS,
    handle: async ({ workflows, draining }, call) => {
      const run = runOf(call);
      const query = new Query(call.search, streamShape);
      const last = call.req.get('last-event-id');
      const after = last !== undefined && /^\d{1,9}$/.test(last) ? Number(last) : query.integer('after');
      const from = { after, payloads: query.choice('payloads') };
      // A workflow that does not exist is an error still.
      const runId = await workflows.resolve(run);
      const stream = openEventStream(call.res, draining);
      if (call.req.method === 'HEAD') return stream.end();
      const events = workflows.follow({ ...run, runId }, from, stream.signal);
      for (;;) {
        const next = await events.next();
        if (next.done) {
          if (next.value !== undefined) {
            const { lastEventId, closedBy, nextRunId } = next.value;
            const data = {
              type: 'history_end',
              run_id: runId,
              last_event_id: lastEventId,
              closed_by: closedBy,
              next_run_id: nextRunId,
            };
            await stream.send({ type: 'history_end', data });
          }
          return stream.end();
        }
        await stream.send({ type: 'workflow_event', data: next.value, id: next.value.eventId });
      }
    },
  }),
  route('GET /v1/workflows/{workflow_id}/history.json', 'downloadWorkflowHistory', 'Download a history', {
    description: 'The whole history as the JSON that Temporal’s own tools read.',
    query: { run_id: runId },
    answer: jsonPieces(historyFile),
    errors: FAULTS,
    handle: async ({ workflows, ending }, call) => {
      const run = runOf(call);
      const runId = await workflows.resolve(run);
      const name = `${run.workflowId}-${runId}.json`.replaceAll(/[^\w.-]+/g, '_');
      call.res.attachment(name);
      if (call.req.method === 'HEAD') return void call.res.type('json').end();
      await sendJsonText(call.res, workflows.historyFile({ ...run, runId }, goneSignal(call.res, ending)));
    },
  }),
];
