import { randomUUID } from 'node:crypto';
import { type Client, WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowStartOptions } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { until } from '../until.ts';
import type { Tolerance } from './compare.ts';
import type { NormalEvent } from './normalise.ts';
import { normalise } from './normalise.ts';
import type { RawQueue } from './raw-queue.ts';
import { long } from '../../../engine/embedded/protocol/values.ts';
import { add, bump, bumpViaActivity, go, total } from './workflows.ts';

/** What a scenario works with. */
export interface Stage {
  readonly client: Client;
  readonly taskQueue: string;
  /** Task tokens of activities that are completed from elsewhere, by workflow id. */
  readonly tokens: ReadonlyMap<string, Uint8Array>;
  /** A task queue that this test itself polls until it lets a worker do so. */
  raw(taskQueue: string): RawQueue;
}

/** One of the recorded runs, made again: its histories by the names of the recorded ones. */
export interface Scenario {
  readonly name: string;
  readonly goldens: readonly string[];
  readonly run: (stage: Stage) => Promise<Record<string, History>>;
  readonly tolerances?: Readonly<Record<string, Tolerance>>;
}

type Options = Partial<WorkflowStartOptions>;
interface Started {
  readonly handle: WorkflowHandle;
  readonly history: () => Promise<History>;
  /** Waits until the run has a number of events of a type. */
  readonly has: (type: string, count?: number) => Promise<void>;
}

const typeEnds = (event: NormalEvent, type: string): boolean => event.type === type;

function watch(client: Client, workflowId: string, runId?: string): Started {
  const handle = client.workflow.getHandle(workflowId, runId);
  const history = (): Promise<History> => handle.fetchHistory();
  const has = (type: string, count = 1): Promise<void> =>
    until(async () => normalise(await history()).filter((e) => typeEnds(e, type)).length >= count, 60_000);
  return { handle, history, has };
}

async function start(
  { client, taskQueue }: Stage,
  type: string,
  id: string,
  options: Options = {},
): Promise<Started> {
  const handle = await client.workflow.start(type, { taskQueue, workflowId: id, args: [], ...options });
  return watch(client, id, handle.firstExecutionRunId);
}

const settled = async (run: Started): Promise<void> => {
  await run.handle.result().catch(() => undefined);
};

/** The run that a completed run names as the next one of its cron schedule. */
async function followerOf(run: Started): Promise<string> {
  const last = (await run.history()).events?.at(-1)?.workflowExecutionCompletedEventAttributes;
  if (!last?.newExecutionRunId) throw new Error('no run follows');
  return last.newExecutionRunId;
}

/** Resets a run by the event that ended one of its workflow tasks, and watches the new run. */
async function reset({ client }: Stage, base: Started, eventId: number, reason: string): Promise<Started> {
  const { workflowId } = base.handle;
  const current = await base.handle.describe();
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: current.runId },
    reason,
    workflowTaskFinishEventId: long(eventId),
    requestId: randomUUID(),
  });
  return watch(client, workflowId, runId);
}

/** A workflow that runs to its end with nobody interfering. */
function plain(
  golden: string,
  type: string,
  id: string,
  options: Options = {},
  tolerance?: Tolerance,
): Scenario {
  return {
    name: golden,
    goldens: [golden],
    run: async (stage) => {
      const run = await start(stage, type, id, options);
      await settled(run);
      return { [golden]: await run.history() };
    },
    ...(tolerance === undefined ? {} : { tolerances: { [golden]: tolerance } }),
  };
}

/** A workflow that something is done to on its way. */
function guided(
  golden: string,
  type: string,
  id: string,
  guide: (run: Started, stage: Stage) => Promise<void>,
  options: Options = {},
  tolerance?: Tolerance,
): Scenario {
  return {
    name: golden,
    goldens: [golden],
    run: async (stage) => {
      const run = await start(stage, type, id, options);
      await guide(run, stage);
      await settled(run);
      return { [golden]: await run.history() };
    },
    ...(tolerance === undefined ? {} : { tolerances: { [golden]: tolerance } }),
  };
}

/** A run that a schedule starts when somebody triggers it, for the time at which the recorded one was started. */
const scheduled: Scenario = {
  name: 'schedule-started',
  goldens: ['schedule-started'],
  run: async ({ client, taskQueue }) => {
    const scheduleId = 'golden-schedule';
    const handle = await client.schedule.create({
      scheduleId,
      spec: {},
      action: { type: 'startWorkflow', workflowType: 'empty', taskQueue, workflowId: 'golden-scheduled' },
    });
    await client.workflowService.patchSchedule({
      namespace: client.options.namespace,
      scheduleId,
      requestId: scheduleId,
      patch: {
        triggerImmediately: {
          scheduledTime: msToTs(Date.parse('2026-11-21T15:11:01Z')),
        },
      },
    });
    await until(async () => (await handle.describe()).info.numActionsTaken === 1);
    const run = watch(client, 'golden-scheduled-2026-11-21T15:11:01Z');
    await settled(run);
    return { 'schedule-started': await run.history() };
  },
};

/** A child whose parent's close reaches it at some moment of its life. */
function closedByParent(golden: string, policy: string, id: string, tolerance: Tolerance): Scenario {
  return {
    name: golden,
    goldens: [golden],
    run: async (stage) => {
      const parent = await start(stage, 'parentClosesChild', id, { args: [policy] });
      const child = watch(stage.client, (await parent.handle.result()) as string);
      await settled(child);
      return { [golden]: await child.history() };
    },
    tolerances: { [golden]: tolerance },
  };
}

/** Both runs of a chain, by the names of their recorded histories. */
function chain(goldens: readonly [string, string], type: string, id: string, options: Options): Scenario {
  return {
    name: goldens[0],
    goldens,
    run: async (stage) => {
      const first = await start(stage, type, id, options);
      const last = watch(stage.client, id);
      await last.handle.result();
      const [firstName, lastName] = goldens;
      return { [firstName]: await first.history(), [lastName]: await last.history() };
    },
  };
}

const whoIsFirst = 'the outside event meets the first workflow task before, in or after its execution';

const inTime: Tolerance = {
  racy: 'a busy machine may not run the first workflow task within the second that the run has',
  optional: { TIMER_STARTED: 'made by that task' },
  extra: { WORKFLOW_TASK_FAILED: 'when the timeout meets it' },
};

export const scenarios: readonly Scenario[] = [
  scheduled,
  plain('empty', 'empty', 'golden-empty-6'),
  plain('return-args', 'returnArgs', 'golden-returnArgs-7', {
    args: ['a', 1, { b: [true, null] }],
    memo: { note: 'one', gone: 1 },
  }),
  plain('priority', 'empty', 'golden-empty-70', {
    priority: { priorityKey: 2, fairnessKey: 'tenant', fairnessWeight: 1.5 },
  }),
  plain('start-delay', 'empty', 'golden-empty-69', { startDelay: '1s' }),
  plain('randomness', 'randomness', 'golden-randomness-68'),
  plain('user-metadata', 'userMetadata', 'golden-userMetadata-67', {
    staticSummary: 'summary',
    staticDetails: 'details\nmore',
  }),

  plain('activity-success', 'activitySuccess', 'golden-activitySuccess-8', { args: ['hello'] }),
  plain('activities-in-sequence', 'activitiesInSequence', 'golden-activitiesInSequence-9', { args: [5] }),
  plain(
    'activities-in-parallel',
    'activitiesInParallel',
    'golden-activitiesInParallel-10',
    { args: [8] },
    {
      racy: 'activities end in any order, several within one workflow task',
    },
  ),
  plain('activity-retry-then-success', 'activityRetryThenSuccess', 'golden-activityRetryThenSuccess-11'),
  plain('activity-retry-exhausted', 'activityRetryExhausted', 'golden-activityRetryExhausted-12'),
  plain('activity-non-retryable', 'activityNonRetryable', 'golden-activityNonRetryable-13'),
  plain(
    'activity-timeout-start-to-close',
    'activityStartToCloseTimeout',
    'golden-activityStartToCloseTimeout-14',
  ),
  plain(
    'activity-timeout-start-to-close-retried',
    'activityStartToCloseTimeoutRetried',
    'golden-activityStartToCloseTimeoutRetried-15',
  ),
  plain(
    'activity-timeout-schedule-to-start',
    'activityScheduleToStartTimeout',
    'golden-activityScheduleToStartTimeout-16',
  ),
  plain(
    'activity-timeout-schedule-to-close',
    'activityScheduleToCloseTimeout',
    'golden-activityScheduleToCloseTimeout-17',
  ),
  plain('activity-timeout-heartbeat', 'activityHeartbeatTimeout', 'golden-activityHeartbeatTimeout-18'),
  plain(
    'activity-resume-from-heartbeat',
    'activityResumeFromHeartbeat',
    'golden-activityResumeFromHeartbeat-19',
  ),
  plain('activity-cancel-wait', 'activityCancelWait', 'golden-activityCancelWait-20'),
  plain('activity-cancel-try', 'activityCancelTry', 'golden-activityCancelTry-21'),
  plain('activity-cancel-abandon', 'activityCancelAbandon', 'golden-activityCancelAbandon-22'),
  plain(
    'activity-cancel-before-scheduled',
    'activityCancelBeforeScheduled',
    'golden-activityCancelBeforeScheduled-23',
  ),
  plain('activity-fails-workflow', 'activityFailsWorkflow', 'golden-activityFailsWorkflow-24'),
  guided(
    'activity-async-completion',
    'activityAsyncCompletion',
    'golden-activityAsyncCompletion-25',
    async (run, stage) => {
      const token = (): Uint8Array | undefined => stage.tokens.get(run.handle.workflowId);
      await until(() => token() !== undefined);
      await stage.client.activity.complete(token() ?? new Uint8Array(), 'from elsewhere');
    },
  ),

  plain('local-activity', 'localActivity', 'golden-localActivity-26'),
  plain('local-activity-retry', 'localActivityRetry', 'golden-localActivityRetry-27'),
  plain('local-activity-retry-by-timer', 'localActivityRetryByTimer', 'golden-localActivityRetryByTimer-28'),
  plain('local-activity-failure', 'localActivityFailure', 'golden-localActivityFailure-29'),
  plain('local-activity-task-heartbeat', 'localActivitySlow', 'golden-localActivitySlow-30'),

  plain('timer-fired', 'timerFired', 'golden-timerFired-31', { args: [100] }),
  plain('timer-canceled', 'timerCanceled', 'golden-timerCanceled-32'),
  plain('timer-canceled-at-once', 'timerCanceledAtOnce', 'golden-timerCanceledAtOnce-33'),
  plain(
    'timer-race',
    'timerRace',
    'golden-timerRace-34',
    {},
    {
      racy: 'the recorded server fired both timers at once',
      optional: { TIMER_FIRED: 'a server with finer timers fires the short one alone' },
      extra: { WORKFLOW_TASK_FAILED: 'when the long one fires while the workflow completes' },
    },
  ),
  plain('condition-timeout', 'conditionTimeout', 'golden-conditionTimeout-35'),

  guided(
    'signals',
    'signals',
    'golden-signals-36',
    async ({ handle, has }) => {
      for (const x of [1, 2, 3]) {
        await has('WORKFLOW_TASK_COMPLETED', x);
        await handle.signal(add, x);
      }
    },
    { args: [3] },
  ),
  guided(
    'signals-burst',
    'signals',
    'golden-signals-37',
    async ({ handle }) => {
      await Promise.all([1, 2, 3, 4, 5, 6].map((x) => handle.signal(add, x)));
    },
    { args: [6] },
    { racy: 'six signals at once arrive in any order' },
  ),
  {
    name: 'signal-with-start',
    goldens: ['signal-with-start'],
    run: async ({ client, taskQueue }) => {
      const workflowId = 'golden-sws';
      await client.workflow.signalWithStart('signals', {
        taskQueue,
        workflowId,
        args: [1],
        signal: add,
        signalArgs: [5],
      });
      const run = watch(client, workflowId);
      await settled(run);
      return { 'signal-with-start': await run.history() };
    },
  },
  guided(
    'query',
    'signals',
    'golden-signals-38',
    async ({ handle, has }) => {
      await has('WORKFLOW_TASK_COMPLETED');
      if ((await handle.query(total)) !== 0) throw new Error('the query was not answered with the sum');
      await handle.signal(add, 1);
    },
    { args: [1] },
  ),
  guided(
    'updates',
    'updates',
    'golden-updates-39',
    async ({ handle, has }) => {
      await has('WORKFLOW_TASK_COMPLETED');
      await handle.executeUpdate(bump, { args: [5], updateId: 'u1' });
      await handle.executeUpdate(bump, { args: [-1], updateId: 'u-rejected' }).catch(() => undefined);
      await handle.executeUpdate(bump, { args: [13], updateId: 'u-failed' }).catch(() => undefined);
      await handle.executeUpdate(bumpViaActivity, { args: ['x'], updateId: 'u3' });
    },
    { args: [3] },
  ),
  guided(
    'updates-concurrent',
    'updates',
    'golden-updates-40',
    async ({ handle, has }) => {
      await has('WORKFLOW_TASK_COMPLETED');
      await Promise.all([
        ...[1, 2, 3].map((x) => handle.executeUpdate(bump, { args: [x], updateId: `c${x}` })),
        handle.executeUpdate(bumpViaActivity, { args: ['y'], updateId: 'c4' }),
      ]);
    },
    { args: [4] },
    {
      racy: 'four updates at once arrive in any order',
      optional: { WORKFLOW_EXECUTION_UPDATE_COMPLETED: 'each answers with the sum so far' },
    },
  ),
  guided(
    'update-rejected-only',
    'updates',
    'golden-updates-41',
    async ({ handle, has }) => {
      await has('WORKFLOW_TASK_COMPLETED');
      for (const updateId of ['no1', 'no2']) {
        await handle.executeUpdate(bump, { args: [-1], updateId }).then(
          () => Promise.reject(new Error('a rejected update succeeded')),
          () => undefined,
        );
      }
      await handle.executeUpdate(bump, { args: [1], updateId: 'ok' });
    },
    { args: [1] },
  ),
  {
    name: 'update-with-start',
    goldens: ['update-with-start'],
    run: async ({ client, taskQueue }) => {
      const workflowId = 'golden-uws';
      await client.workflow.executeUpdateWithStart(bump, {
        updateId: 'uws-1',
        args: [9],
        startWorkflowOperation: new WithStartWorkflowOperation('updates', {
          taskQueue,
          workflowId,
          args: [1],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      });
      const run = watch(client, workflowId);
      await settled(run);
      return { 'update-with-start': await run.history() };
    },
  },

  plain('child-success', 'parentSuccess', 'golden-parentSuccess-42'),
  plain('child-failure', 'parentChildFails', 'golden-parentChildFails-43'),
  plain('child-timeout', 'parentChildTimesOut', 'golden-parentChildTimesOut-44'),
  plain(
    'child-already-exists',
    'parentChildAlreadyExists',
    'golden-parentChildAlreadyExists-1',
    { args: ['golden-dup'] },
    {
      racy: 'the canceled child may end before its parent',
      extra: {
        CHILD_WORKFLOW_EXECUTION_CANCELED: 'then it is told',
        WORKFLOW_TASK_FAILED: 'having been busy',
      },
    },
  ),
  plain('child-canceled', 'parentChildCanceled', 'golden-parentChildCanceled-46'),
  plain('child-canceled-at-once', 'parentChildCanceledAtOnce', 'golden-parentChildCanceledAtOnce-47'),
  plain('child-signaled', 'parentSignalsChild', 'golden-parentSignalsChild-48'),
  plain('child-abandoned', 'parentAbandons', 'golden-parentAbandons-49'),
  {
    name: 'child-terminated',
    goldens: ['child-terminated', 'child-terminated-child'],
    run: async (stage) => {
      const parent = await start(stage, 'parentChildTerminated', 'golden-parentChildTerminated-2', {
        args: ['golden-term'],
      });
      await parent.has('WORKFLOW_TASK_COMPLETED', 2);
      const child = watch(stage.client, 'golden-term');
      await child.handle.terminate('test');
      await settled(parent);
      return { 'child-terminated': await parent.history(), 'child-terminated-child': await child.history() };
    },
    tolerances: {
      'child-terminated-child': {
        racy: 'the recorded child was terminated in its first workflow task ',
        optional: { TIMER_STARTED: 'when that task was over', WORKFLOW_TASK_FAILED: 'when it was not' },
      },
    },
  },
  closedByParent('parent-close-terminate-child', 'TERMINATE', 'golden-parentClosesChild-51', {
    racy: whoIsFirst,
    optional: { TIMER_STARTED: 'only when the task comes first' },
    extra: { WORKFLOW_TASK_FAILED: 'when it is being executed' },
  }),
  closedByParent('parent-close-request-cancel-child', 'REQUEST_CANCEL', 'golden-parentClosesChild-52', {
    racy: whoIsFirst,
    optional: { TIMER_STARTED: 'only when the task comes first', TIMER_CANCELED: 'likewise' },
  }),
  {
    name: 'external-signal-and-cancel',
    goldens: ['external-signal-and-cancel', 'external-signal-and-cancel-target'],
    run: async (stage) => {
      const target = await start(stage, 'signals', 'golden-target', { args: [99] });
      await target.has('WORKFLOW_TASK_COMPLETED');
      const source = await start(stage, 'externalSignalAndCancel', 'golden-externalSignalAndCancel-53', {
        args: ['golden-target'],
      });
      await settled(source);
      await settled(target);
      return {
        'external-signal-and-cancel': await source.history(),
        'external-signal-and-cancel-target': await target.history(),
      };
    },
  },

  chain(['continue-as-new-first', 'continue-as-new-last'], 'continuer', 'golden-continuer-54', { args: [1] }),
  chain(
    ['continue-as-new-options-first', 'continue-as-new-options-last'],
    'continuerWithOptions',
    'golden-continuerWithOptions-55',
    { args: [1], searchAttributes: { CustomKeywordField: ['kept'] } },
  ),
  plain('workflow-fails', 'fails', 'golden-fails-56'),
  chain(['workflow-retry-first', 'workflow-retry-last'], 'failsRetried', 'golden-failsRetried-57', {
    retry: { initialInterval: '200ms', backoffCoefficient: 1, maximumAttempts: 5 },
  }),
  plain('workflow-run-timeout', 'cancellable', 'golden-cancellable-58', { workflowRunTimeout: '1s' }, inTime),
  plain(
    'workflow-execution-timeout',
    'cancellable',
    'golden-cancellable-59',
    { workflowExecutionTimeout: '1s' },
    inTime,
  ),
  guided('workflow-canceled', 'cancellable', 'golden-cancellable-60', async ({ handle, has }) => {
    await has('TIMER_STARTED');
    await handle.cancel();
  }),
  guided('workflow-cancel-handled', 'cancelHandled', 'golden-cancelHandled-61', async ({ handle, has }) => {
    await has('TIMER_STARTED');
    await handle.cancel();
  }),
  guided('workflow-terminated', 'cancellable', 'golden-cancellable-62', async ({ handle, has }) => {
    await has('TIMER_STARTED');
    await handle.terminate('because');
  }),
  {
    name: 'workflow-cron',
    goldens: ['workflow-cron-first', 'workflow-cron-second'],
    run: async (stage) => {
      const first = await start(stage, 'empty', 'golden-cron', { cronSchedule: '@every 2s' });
      await first.has('WORKFLOW_EXECUTION_COMPLETED');
      const second = watch(stage.client, 'golden-cron', await followerOf(first));
      await second.has('WORKFLOW_EXECUTION_COMPLETED');
      await stage.client.workflow.getHandle('golden-cron').terminate();
      return { 'workflow-cron-first': await first.history(), 'workflow-cron-second': await second.history() };
    },
  },
  {
    name: 'workflow-reset',
    goldens: ['workflow-reset-base', 'workflow-reset-new'],
    run: async (stage) => {
      const base = await start(stage, 'activitiesInSequence', 'golden-reset', { args: [3] });
      await settled(base);
      const next = await reset(stage, base, 10, 'try again');
      await settled(next);
      return { 'workflow-reset-base': await base.history(), 'workflow-reset-new': await next.history() };
    },
  },
  {
    name: 'workflow-reset-running',
    goldens: ['workflow-reset-running-base', 'workflow-reset-running-new'],
    run: async (stage) => {
      const base = await start(stage, 'signals', 'golden-reset2', { args: [3] });
      for (const [done, value] of [1, 2].entries()) {
        await base.has('WORKFLOW_TASK_COMPLETED', done + 1);
        await base.handle.signal(add, value);
      }
      await base.has('WORKFLOW_TASK_COMPLETED', 3);
      const next = await reset(stage, base, 4, 'fork');
      await next.has('WORKFLOW_TASK_COMPLETED');
      await next.handle.signal(add, 3);
      await settled(next);
      return {
        'workflow-reset-running-base': await base.history(),
        'workflow-reset-running-new': await next.history(),
      };
    },
  },
  plain('task-failed-once', 'taskFailsOnce', 'golden-taskFailsOnce-63'),
  plain('search-attribute-and-memo-upsert', 'upserts', 'golden-upserts-64', {
    memo: { note: 'one', gone: 1 },
    searchAttributes: { CustomTextField: ['some words'] },
  }),
  plain('patched', 'patched', 'golden-patched-65'),
  plain('patch-deprecated', 'patchDeprecated', 'golden-patchDeprecated-66'),
  guided(
    'agent-like',
    'agentLike',
    'golden-agentLike-71',
    async ({ handle, has }) => {
      for (let approval = 1; approval <= 7; approval += 1) {
        await has('TIMER_STARTED', approval);
        await handle.signal(go);
      }
    },
    { args: [24] },
  ),
  ...rawScenarios(),
];

/** Runs that begin with workflow tasks taken by hand; a worker finishes them. */
function rawScenarios(): Scenario[] {
  const raw = (
    golden: string,
    type: string,
    id: string,
    options: Options,
    play: (queue: RawQueue, run: Started) => Promise<void>,
    tolerance?: Tolerance,
  ): Scenario => ({
    name: golden,
    goldens: [golden],
    run: async (stage) => {
      const queue = stage.raw(`golden-raw-${golden}`);
      const run = await start({ ...stage, taskQueue: queue.name }, type, id, options);
      await play(queue, run);
      await queue.finishWithWorker(() => settled(run));
      return { [golden]: await run.history() };
    },
    ...(tolerance === undefined ? {} : { tolerances: { [golden]: tolerance } }),
  });
  return [
    raw(
      'task-timeout',
      'timerFired',
      'golden-timerFired-1',
      { args: [50], workflowTaskTimeout: '1s' },
      async (queue, run) => {
        await queue.poll();
        await run.has('WORKFLOW_TASK_TIMED_OUT');
      },
      {
        racy: 'a busy machine may need more than a second for the other tasks too',
        extra: { WORKFLOW_TASK_TIMED_OUT: 'then they time out as well' },
      },
    ),
    raw('sticky-timeout', 'timerFired', 'golden-timerFired-2', { args: [500] }, async (queue, run) => {
      await queue.complete(await queue.poll(), [{ startTimer: { timerId: '1', ms: 500 } }], 'gone-sticky');
      await run.has('WORKFLOW_TASK_TIMED_OUT');
    }),
    raw(
      'signals-buffered-during-task',
      'signals',
      'golden-signals-3',
      { args: [2] },
      async (queue, { handle }) => {
        const token = await queue.poll();
        await handle.signal(add, 1);
        await handle.signal(add, 2);
        await queue.complete(token, []);
      },
    ),
    raw('unhandled-command', 'signals', 'golden-signals-4', { args: [1] }, async (queue, { handle }) => {
      const token = await queue.poll();
      await handle.signal(add, 1);
      await queue.complete(token, [{ completeWorkflow: true }]).then(
        () => Promise.reject(new Error('a run was closed over a signal that it had not seen')),
        () => undefined,
      );
    }),
    raw('task-failed-by-worker', 'empty', 'golden-empty-5', {}, async (queue) => {
      await queue.fail(await queue.poll());
    }),
  ];
}

/** Recorded histories that are replayed but not run again, and why. */
export const notRun: Readonly<Record<string, string>> = {};
