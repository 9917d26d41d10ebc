const internalError =
  'Where the real server fails with an internal error, the engine refuses the request or serves it.';
const pages =
  'A page of a history has as many events as were asked for; on the real server, as many transactions.';

/** The rows that the embedded engine answers otherwise than the real server on purpose, with the reason; docs/engine.md has them. */
export const deviations: Readonly<Record<string, string>> = {
  'commands: child: attributes unset': internalError,
  'history: page by page': pages,
  'history: page by page from the end': pages,
  'listWorkflowExecutions: page token garbage': internalError,
  'scanWorkflowExecutions: page token garbage': internalError,
  'listClosedWorkflowExecutions: page token garbage': internalError,
  'listActivityExecutions: page token garbage': internalError,
  'schedules: list and count with a query that is none': internalError,
  'describeNamespace: id that is none':
    'A namespace id that is none is `NOT_FOUND`; on the real server, `UNKNOWN`.',
  'createSchedule: remaining actions negative': internalError,
  'schedule: described, unpaused, changed, deleted':
    'A schedule that was deleted is not there any more; on the real server, it has ended.',
  'listTaskQueuePartitions: a queue': 'A task queue has one partition.',
};
