import { z } from 'zod';
import { count, maybeTime } from './common.ts';

const poller = z.object({
  identity: z.string(),
  last_access_time: maybeTime,
  rate_per_second: z.number().nullable(),
  deployment: z.string().nullable(),
  build_id: z.string().nullable(),
});

const queueKind = z.object({
  pollers: z.array(poller),
  backlog: z
    .object({
      count: count.describe('Approximately'),
      age_ms: z.number().describe('Of the oldest task'),
      add_rate: z.number().nullable().describe('Tasks a second that come in'),
      dispatch_rate: z.number().nullable().describe('Tasks a second that pollers take'),
    })
    .nullable()
    .describe('Null where the server does not tell'),
});
export type QueueKind = z.output<typeof queueKind>;

export const taskQueue = z.object({
  type: z.literal('task_queue'),
  name: z.string(),
  workflow: queueKind,
  activity: queueKind,
});
export type TaskQueue = z.output<typeof taskQueue>;
