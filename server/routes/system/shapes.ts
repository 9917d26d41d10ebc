import { z } from 'zod';
import { poolFigures } from '../sandbox-pool.ts';
import { modelState } from '../../inference/contract.ts';
import { named } from '../../routing/components.ts';
import type { DeepReadonly } from '../../routing/route.ts';
import { count, maybeTime, time } from '../../routing/shapes.ts';

const bytes = z.number().min(0);

const problem = z.object({
  part: z.enum(['engine', 'store', 'disk', 'sandboxes', 'inference', 'providers', 'memory']),
  level: z.enum(['error', 'warning']).describe('`error`: sessions cannot go on because of it'),
  text: z.string().describe('What is wrong'),
  advice: z.string().describe('What to do about it'),
});

const sweep = z.object({
  last_at: maybeTime.describe('When the last one ended; null before the first'),
  took_ms: z.number().nullable(),
  next_at: time,
  failure: z.string().nullable().describe('Why the last one failed'),
});

const queue = z.object({
  name: z.string(),
  workflow_pollers: count,
  activity_pollers: count,
  backlog: count.nullable().describe('Tasks that wait; null where the engine does not tell'),
  oldest_ms: z.number().nullable().describe('How long the oldest task waits'),
});

/** The state of the server and of all that it needs. */
export const system = z.object({
  type: z.literal('system'),
  status: z.enum(['ok', 'warning', 'error']).describe('The worst of the problems'),
  problems: z.array(problem).describe('The worst first'),
  process: z.object({
    version: z.string(),
    role: z.enum(['all', 'server', 'worker']),
    node: z.string(),
    platform: z.string(),
    started_at: time,
    cpus: count,
    load: z.number().describe('Processes that ran or wanted to, on average over a minute'),
    memory: z.object({
      process_bytes: bytes.describe('Of this process, its threads included'),
      heap_bytes: bytes,
      free_bytes: bytes.describe('Of the machine'),
      total_bytes: bytes,
    }),
  }),
  engine: z.object({
    kind: z.string(),
    address: z.string(),
    namespace: z.string(),
    reachable: z.boolean(),
    reason: z.string().nullable(),
    server_version: z.string().nullable(),
    running_workflows: count
      .nullable()
      .describe('Of the whole namespace; null where it cannot be had, or the key may not read workflows'),
    queues: z.array(queue).describe('The task queues of this installation'),
  }),
  store: z.object({
    status: z.enum(['ok', 'full', 'unwritable']),
    reason: z.string().nullable(),
    broken_sessions: count,
    folder: z.string().nullable(),
    size_bytes: bytes.nullable().describe('Of the whole data folder; null until it was measured'),
    measured_at: maybeTime,
    sweep: sweep.nullable().describe('The hourly removal of what nobody needs any more'),
  }),
  disks: z.array(z.object({ name: z.string(), folder: z.string(), free_bytes: bytes, total_bytes: bytes })),
  sandboxes: z.object({
    available: z.boolean().describe('Whether there is a desktop for agents'),
    isolation: z.string().nullable(),
    reason: z.string().nullable(),
    counts: z
      .object({
        waiting: count.describe('Those that no machine of the pool has been free for yet'),
        starting: count,
        running: count,
        stopped: count,
        failed: count,
        lost: count.describe('Those whose machine is gone'),
      })
      .nullable()
      .describe('Null where the list cannot be had'),
    pool: poolFigures.nullable().describe('Null without a pool, and where it cannot be had'),
  }),
  inference: z.object({
    ready: z.boolean(),
    models: z.array(z.object({ name: z.string(), state: modelState, reason: z.string().nullable() })),
  }),
  providers: z.array(z.object({ name: z.string(), state: z.string(), reason: z.string().nullable() })),
});

named({ system, systemProblem: problem });

export type System = DeepReadonly<z.output<typeof system>>;
export type SystemProblem = DeepReadonly<z.output<typeof problem>>;

/** What only the process around the server knows. */
export interface SystemFacts {
  readonly role: System['process']['role'];
  /** The task queues that this installation's workers poll. */
  readonly queues: readonly string[];
  readonly store: Pick<System['store'], 'folder' | 'size_bytes' | 'measured_at' | 'sweep'>;
  readonly disks: System['disks'];
}

export interface SystemService {
  read(): Promise<SystemFacts>;
}
