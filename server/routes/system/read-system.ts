import os from 'node:os';
import type { Response } from 'express';
import type { ModelCatalog } from '@steadyhand/messages';
import type { WorkflowService } from '@steadyhand/temporal/shapes';
import { workflowAccessOf } from '../../auth/workflow-access.ts';
import type { KnownModels } from '../../deps.ts';
import { scrubOf } from '../../http/scrub.ts';
import type { Health } from '../health.ts';
import type { SandboxPoolService } from '../sandbox-pool.ts';
import type { SandboxService } from '../services.ts';
import { problemsOf, statusOf } from './problems.ts';
import type { System, SystemFacts, SystemService } from './shapes.ts';

export interface SystemRouteDeps {
  readonly health: () => Health;
  readonly inference: Pick<KnownModels, 'ready' | 'models'>;
  readonly catalog: ModelCatalog;
  readonly workflows: WorkflowService;
  readonly sandboxes: Pick<SandboxService, 'list'>;
  readonly sandboxPool?: SandboxPoolService;
  /** Without it, nothing is told of task queues, of the store's size and of disks. */
  readonly system?: SystemService;
}

type TaskQueue = Awaited<ReturnType<WorkflowService['taskQueue']>>;

/** How long a part may take to answer; it counts as away then. */
const ANSWER_MS = 3000;

const UNKNOWN: SystemFacts = {
  role: 'all',
  queues: [],
  store: { folder: null, size_bytes: null, measured_at: null, sweep: null },
  disks: [],
};

/** Asks every part how it is. A part that does not answer is told as that, and delays the others by seconds at most. */
export async function readSystem(deps: SystemRouteDeps, res: Response): Promise<System> {
  const health = deps.health();
  const [facts, sandboxes, pool] = await Promise.all([
    deps.system?.read() ?? UNKNOWN,
    inTime(countSandboxes(deps.sandboxes)).catch(() => null),
    deps.sandboxPool === undefined ? null : inTime(deps.sandboxPool.figures()).catch(() => null),
  ]);
  const engine = await readEngine(deps, health.engine, facts.queues, workflowAccessOf(res) !== 'none');
  const { desktop, store = { status: 'ok', reason: null, broken_sessions: 0 } } = health;
  const scrub = scrubOf(res);
  const providers = deps.catalog.providers().map(({ name, state, reason }) => ({
    name,
    state,
    reason: reason === null ? null : scrub(reason),
  }));
  const parts = {
    process: processFacts(health.version, facts.role),
    engine,
    store: { ...store, ...facts.store },
    disks: facts.disks,
    sandboxes: {
      available: desktop.available,
      isolation: desktop.isolation,
      reason: desktop.reason,
      counts: sandboxes,
      pool: pool,
    },
    inference: {
      ready: deps.inference.ready(),
      models: deps.inference.models().map(({ name, state, reason }) => ({ name, state, reason })),
    },
    providers,
  };
  const problems = problemsOf(parts);
  return { type: 'system', status: statusOf(problems), problems, ...parts };
}

async function readEngine(
  { workflows }: SystemRouteDeps,
  about: Health['engine'],
  queues: readonly string[],
  mayRead: boolean,
): Promise<System['engine']> {
  try {
    const [namespace, count, ...found] = await inTime(
      Promise.all([
        workflows.namespace(),
        mayRead ? workflows.count('ExecutionStatus = "Running"') : null,
        ...queues.map((name) => workflows.taskQueue(name)),
      ]),
    );
    return {
      ...about,
      reachable: true,
      reason: null,
      server_version: namespace.server_version,
      running_workflows: count?.count ?? null,
      queues: found.map(queueOf),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...about, reachable: false, reason, server_version: null, running_workflows: null, queues: [] };
  }
}

function queueOf({ name, workflow, activity }: TaskQueue): System['engine']['queues'][number] {
  const { backlog: work } = workflow;
  const { backlog: activities } = activity;
  const both = [work, activities].filter((backlog) => backlog !== null);
  return {
    name,
    workflow_pollers: workflow.pollers.length,
    activity_pollers: activity.pollers.length,
    backlog: both.length === 0 ? null : both.reduce((sum, { count }) => sum + count, 0),
    oldest_ms: both.length === 0 ? null : Math.max(...both.map(({ age_ms }) => age_ms)),
  };
}

async function countSandboxes({
  list,
}: Pick<SandboxService, 'list'>): Promise<NonNullable<System['sandboxes']['counts']>> {
  const counts = { waiting: 0, starting: 0, running: 0, stopped: 0, failed: 0, lost: 0 };
  for (const { status } of await list()) counts[status] += 1;
  return counts;
}

function processFacts(version: string, role: SystemFacts['role']): System['process'] {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    version,
    role,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    started_at: new Date(performance.timeOrigin).toISOString(),
    cpus: os.availableParallelism(),
    load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
    memory: {
      process_bytes: rss,
      heap_bytes: heapUsed,
      free_bytes: os.freemem(),
      total_bytes: os.totalmem(),
    },
  };
}

/** Rejects when the answer takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS / 1000} seconds`)), ANSWER_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
