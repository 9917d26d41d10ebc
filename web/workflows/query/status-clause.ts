import { clausesOf, withField } from './clauses.ts';

/** The statuses as the API names them, with the words of the query language. */
export const STATUS_WORDS = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  terminated: 'Terminated',
  continued_as_new: 'ContinuedAsNew',
  timed_out: 'TimedOut',
  paused: 'Paused',
} as const;
export type Status = keyof typeof STATUS_WORDS;

export const STATUS_FIELD = 'ExecutionStatus';

/** The one status that a query asks for; `all` where it asks for none, undefined where it says something else of it. */
export function statusIn(query: string): Status | 'all' | undefined {
  const clauses = clausesOf(query).filter(({ field }) => field === STATUS_FIELD);
  if (clauses.length === 0) return 'all';
  const [clause] = clauses;
  if (clauses.length > 1 || clause?.operator !== '=') return undefined;
  const found = Object.entries(STATUS_WORDS).find(([, word]) => word === clause.value);
  return found?.[0] as Status | undefined;
}

export function withStatus(query: string, status: Status | 'all'): string {
  return withField(
    query,
    STATUS_FIELD,
    status === 'all' ? null : `${STATUS_FIELD} = '${STATUS_WORDS[status]}'`,
  );
}
