import { randomUUID } from 'node:crypto';
import {
  Client,
  Connection,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { CommandType, WorkflowExecutionStatus } from '../../../engine/embedded/protocol/proto.ts';
import { type TestEngine, startTestEngine } from '../../support/engine.ts';
import { RawWorker } from '../embedded/support/raw.ts';
import { until } from '../until.ts';

/** On the embedded engine by default; with STEADYHAND_TEST_ENGINE=dev-server the real server answers the same. */
let engine: TestEngine;
let connection: Connection;
let client: Client;
const namespace = 'default';

beforeAll(async () => {
  engine = await startTestEngine({ searchAttributes: { Colour: 'Keyword' } });
  connection = await Connection.connect(engine.connection);
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await engine.stop();
});

type Overlap = Exclude<keyof typeof ScheduleOverlapPolicy, 'UNSPECIFIED'>;
const { COMPLETED, FAILED } = {
  COMPLETED: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
  FAILED: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
};

/** A schedule of its own queue, with the worker that its runs wait for. */
class Subject {
  readonly id = `schedule-${randomUUID()}`;
  readonly worker = new RawWorker({ connection }, `queue-${randomUUID()}`);
  handle!: ScheduleHandle;

  async create(
    options: Partial<Omit<ScheduleOptions, 'scheduleId' | 'action'>> & { action?: object } = {},
  ): Promise<this> {
    const { action, ...rest } = options;
    this.handle = await client.schedule.create({
      scheduleId: this.id,
      spec: {},
      ...rest,
      action: {
        type: 'startWorkflow',
        workflowType: 'act',
        taskQueue: this.worker.queue,
        workflowId: `run-${this.id}`,
        ...action,
      },
    });
    return this;
  }

  describe(): Promise<ScheduleDescription> {
    return this.handle.describe();
  }

  async untilDescribed(condition: (described: ScheduleDescription) => boolean): Promise<ScheduleDescription> {
    let described = await this.describe();
    await until(async () => condition((described = await this.describe())));
    return described;
  }

  /** Triggers once; triggers of one second have the same workflow id, so each names a second of its own. */
  async trigger(second: number, overlap?: Overlap): Promise<void> {
    await client.workflowService.patchSchedule({
      namespace,
      scheduleId: this.id,
      requestId: randomUUID(),
      patch: {
        triggerImmediately: {
          scheduledTime: { seconds: (1_700_000_000 + second) as never },
          overlapPolicy: overlap === undefined ? 0 : policies.indexOf(overlap),
        },
      },
    });
  }

  /** Answers the ids of started runs, which end with their seconds. */
  async started(): Promise<number[]> {
    const { raw } = await this.describe();
    return (raw.info?.recentActions ?? []).map(({ startWorkflowResult }) =>
      secondOf(startWorkflowResult?.workflowId),
    );
  }

  /** Completes the next run that its worker gets, or fails it. */
  async finish(failure?: string): Promise<void> {
    const task = await this.worker.poll();
    await this.worker.complete(task, [failure === undefined ? completed : failed(failure)]);
  }

  async delete(): Promise<void> {
    await this.handle.delete();
  }
}

const policies: Overlap[] = [
  'SKIP',
  'SKIP',
  'BUFFER_ONE',
  'BUFFER_ALL',
  'CANCEL_OTHER',
  'TERMINATE_OTHER',
  'ALLOW_ALL',
];
const secondOf = (workflowId: string | null | undefined): number =>
  Date.parse((workflowId ?? '').slice(-20)) / 1000 - 1_700_000_000;
const result = {
  payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"done"') }],
};
const completed = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: { result },
};
const failed = (message: string): object => ({
  commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  failWorkflowExecutionCommandAttributes: {
    failure: { message, applicationFailureInfo: { type: 'Broken' } },
  },
});
const continued = (queue: string): object => ({
  commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
  continueAsNewWorkflowExecutionCommandAttributes: {
    workflowType: { name: 'act' },
    taskQueue: { name: queue },
  },
});
const firstEvent = async (workflowId: string) => {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
  });
  return history?.events?.[0]?.workflowExecutionStartedEventAttributes;
};
const runOf = (schedule: Subject, second: number): string =>
  `run-${schedule.id}-${new Date((1_700_000_000 + second) * 1000).toISOString().slice(0, 19)}Z`;
const json = (payload: { data?: Uint8Array | null } | undefined): unknown =>
  JSON.parse(Buffer.from(payload?.data ?? []).toString());

const WHATEVER = { overlap: ScheduleOverlapPolicy.SKIP };

describe('what a run of a schedule is told', () => {
  test('its id, times, attributes and who started it', async () => {
    const subject = await new Subject().create({
      policies: WHATEVER,
      action: {
        searchAttributes: { Colour: ['red'] },
        memo: { note: 'kept' },
        args: [1],
        retry: { maximumAttempts: 3 },
      },
    });
    await subject.trigger(7);
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 1);
    const event = await firstEvent(runOf(subject, 7));
    const attributes = event?.searchAttributes?.indexedFields ?? {};
    expect(json(attributes['TemporalScheduledById'])).toBe(subject.id);
    expect(json(attributes['TemporalScheduledStartTime'])).toBe('2023-11-14T22:13:27Z');
    expect(attributes['Colour']).toBeDefined();
    expect(event?.identity).toBe(`temporal-scheduler-default-${subject.id}`);
    expect(json(event?.memo?.fields?.['note'])).toBe('kept');
    expect(event?.retryPolicy?.maximumAttempts).toBe(3);
    expect(event?.continuedExecutionRunId).toBe('');
    await subject.delete();
  });

  test('what the runs before it left behind, unless it may overlap', async () => {
    const subject = await new Subject().create({ policies: WHATEVER });
    await subject.trigger(1);
    await subject.finish();
    await subject.untilDescribed(({ raw }) => raw.info?.runningWorkflows?.length === 0);
    await subject.trigger(2);
    await subject.finish('broke');
    await subject.untilDescribed(
      ({ info, raw }) => info.numActionsTaken === 2 && raw.info?.runningWorkflows?.length === 0,
    );
    await subject.trigger(3);
    await subject.finish();
    await subject.untilDescribed(
      ({ info, raw }) => info.numActionsTaken === 3 && raw.info?.runningWorkflows?.length === 0,
    );
    await subject.trigger(4);
    await subject.trigger(5, 'ALLOW_ALL');
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 5);
    const told = await Promise.all([1, 2, 3, 4, 5].map((second) => firstEvent(runOf(subject, second))));
    const results = told.map((event) => event?.lastCompletionResult?.payloads?.map(json));
    expect(results).toEqual([undefined, ['done'], ['done'], ['done'], undefined]);
    expect(told.map((event) => event?.continuedFailure?.message)).toEqual([
      undefined,
      undefined,
      'broke',
      undefined,
      undefined,
    ]);
    const { raw } = await subject.describe();
    expect(raw.info?.recentActions?.map((action) => action.startWorkflowStatus).slice(0, 3)).toEqual([
      COMPLETED,
      FAILED,
      COMPLETED,
    ]);
    await subject.delete();
  });
});

describe('runs that overlap', () => {
  const subjectWith = async (overlap: Overlap): Promise<Subject> => {
    const subject = await new Subject().create({ policies: { overlap } });
    await subject.trigger(1);
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 1);
    return subject;
  };

  test('are skipped', async () => {
    const subject = await subjectWith('SKIP');
    await subject.trigger(2);
    const { raw } = await subject.untilDescribed(({ info }) => info.numActionsSkippedOverlap === 1);
    expect(raw.info?.actionCount?.toString()).toBe('1');
    await subject.finish();
    await subject.untilDescribed(({ info }) => info.runningActions.length === 0);
    expect(await subject.started()).toEqual([1]);
    await subject.delete();
  });

  test('wait, one of them', async () => {
    const subject = await subjectWith('BUFFER_ONE');
    await subject.trigger(2);
    await subject.untilDescribed(({ raw }) => raw.info?.bufferSize?.toString() === '1');
    await subject.trigger(3);
    await subject.untilDescribed(({ info }) => info.numActionsSkippedOverlap === 1);
    await subject.finish();
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 2);
    expect(await subject.started()).toEqual([1, 2]);
    await subject.delete();
  });

  test('wait, all of them, one after the other', async () => {
    const subject = await subjectWith('BUFFER_ALL');
    for (const second of [2, 3, 4]) {
      await subject.trigger(second);
      await subject.untilDescribed(({ raw }) => raw.info?.bufferSize?.toString() === String(second - 1));
    }
    for (const count of [2, 3, 4]) {
      await subject.finish();
      const { info } = await subject.untilDescribed((described) => described.info.numActionsTaken === count);
      expect(info.runningActions).toHaveLength(1);
    }
    expect(await subject.started()).toEqual([1, 2, 3, 4]);
    await subject.delete();
  });

  test('cancel the one that is in the way', async () => {
    const subject = await subjectWith('CANCEL_OTHER');
    await subject.trigger(2);
    const inTheWay = client.workflow.getHandle(runOf(subject, 1));
    await until(async () => {
      const { events } = await inTheWay.fetchHistory();
      const request = events?.find((event) => event.workflowExecutionCancelRequestedEventAttributes);
      return (
        request?.workflowExecutionCancelRequestedEventAttributes?.cause ===
        'cancelled by schedule overlap policy'
      );
    });
    expect((await subject.describe()).info.numActionsTaken).toBe(1);
    await subject.finish();
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 2);
    expect(await subject.started()).toEqual([1, 2]);
    await subject.delete();
  });

  test('terminate the one that is in the way', async () => {
    const subject = await subjectWith('TERMINATE_OTHER');
    await subject.trigger(2);
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 2);
    const { events } = await client.workflow.getHandle(runOf(subject, 1)).fetchHistory();
    expect(events?.at(-1)?.workflowExecutionTerminatedEventAttributes).toMatchObject({
      reason: 'terminated by schedule overlap policy',
      identity: `temporal-scheduler-default-${subject.id}`,
    });
    await subject.delete();
  });

  test('a run that continues as new is in the way until its chain ends', async () => {
    const subject = await subjectWith('BUFFER_ALL');
    await subject.trigger(2);
    await subject.untilDescribed(({ raw }) => raw.info?.bufferSize?.toString() === '1');
    const task = await subject.worker.poll();
    await subject.worker.complete(task, [continued(subject.worker.queue)]);
    const next = await subject.worker.poll();
    expect(next.workflowExecution?.workflowId).toBe(runOf(subject, 1));
    const { info } = await subject.describe();
    expect([info.numActionsTaken, info.runningActions.length]).toEqual([1, 1]);
    await subject.worker.complete(next, [failed('at last')]);
    await subject.untilDescribed((described) => described.info.numActionsTaken === 2);
    const event = await firstEvent(runOf(subject, 2));
    expect(event?.continuedFailure?.message).toBe('at last');
    await subject.delete();
  });

  test('go on side by side and hold up nothing', async () => {
    const subject = await subjectWith('ALLOW_ALL');
    await subject.trigger(2);
    const { info } = await subject.untilDescribed((described) => described.info.numActionsTaken === 2);
    expect(info.runningActions).toEqual([]);
    await subject.delete();
  });
});

describe('pausing and limits', () => {
  test('a failure pauses, and what is asked for happens all the same', async () => {
    const subject = await new Subject().create({
      policies: { overlap: ScheduleOverlapPolicy.SKIP, pauseOnFailure: true },
    });
    await subject.trigger(1);
    await subject.finish('broke');
    const { state } = await subject.untilDescribed((described) => described.state.paused);
    expect(state.note).toBe(`paused due to workflow failure: ${runOf(subject, 1)}: broke`);
    await subject.trigger(2);
    await subject.untilDescribed(({ info }) => info.numActionsTaken === 2);
    await subject.handle.unpause('repaired');
    const unpaused = await subject.untilDescribed((described) => !described.state.paused);
    expect(unpaused.state.note).toBe('repaired');
    await subject.delete();
  });

  test('a limited schedule acts as often as it may', async () => {
    const subject = await new Subject().create({
      spec: { intervals: [{ every: '1s' }] },
      policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL },
      state: { remainingActions: 2 },
    });
    const { info, state } = await subject.untilDescribed(
      (described) => described.state.remainingActions === 0,
    );
    expect(info.nextActionTimes).toEqual([]);
    expect(state.paused).toBe(false);
    await subject.untilDescribed((described) => described.info.numActionsTaken === 2);
    await subject.delete();
  });

  test('a paused schedule does nothing by itself', async () => {
    const subject = await new Subject().create({
      spec: { intervals: [{ every: '1s' }] },
      state: { paused: true, note: 'not yet' },
    });
    const [first] = (await subject.describe()).info.nextActionTimes;
    await until(() => Date.now() > (first?.getTime() ?? Infinity) + 500);
    const { info, state } = await subject.describe();
    expect(info.numActionsTaken).toBe(0);
    expect(state).toMatchObject({ paused: true, note: 'not yet' });
    await subject.delete();
  });
});

test('a backfill acts for each time of its range, its start included', async () => {
  const subject = await new Subject().create({
    spec: { cronExpressions: ['*/5 * * * *'] },
    state: { paused: true },
    policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL },
  });
  await subject.handle.backfill({
    start: new Date('2024-02-28T23:00:00Z'),
    end: new Date('2024-02-29T00:00:00Z'),
    overlap: 'ALLOW_ALL',
  });
  // Thirteen times are more than one step takes.
  const { info } = await subject.untilDescribed((described) => described.info.numActionsTaken === 13);
  expect(info.recentActions).toHaveLength(10);
  const event = await firstEvent(`run-${subject.id}-2024-02-29T00:00:00Z`);
  expect(json(event?.searchAttributes?.indexedFields?.['TemporalScheduledStartTime'])).toBe(
    '2024-02-29T00:00:00Z',
  );
  expect(await firstEvent(`run-${subject.id}-2024-02-28T23:00:00Z`)).toBeDefined();
  await subject.delete();
});

describe('changing and finding', () => {
  test('an update replaces everything, and one that saw an older state changes nothing', async () => {
    const subject = await new Subject().create({
      state: { note: 'first' },
      memo: { a: 1 },
      searchAttributes: { Colour: ['red'] },
    });
    const seen = await subject.describe();
    await subject.handle.update((previous) => ({
      ...previous,
      spec: { intervals: [{ every: '1h', offset: '5m' }] },
      state: { ...previous.state, note: 'second' },
    }));
    const changed = await subject.untilDescribed(({ state }) => state.note === 'second');
    expect(changed.spec.intervals).toEqual([{ every: 3_600_000, offset: 300_000 }]);
    expect(changed.info.nextActionTimes).toHaveLength(10);
    expect(changed.memo).toEqual({ a: 1 });
    await client.workflowService.updateSchedule({
      namespace,
      scheduleId: subject.id,
      requestId: randomUUID(),
      conflictToken: seen.raw.conflictToken ?? null,
      schedule: { ...seen.raw.schedule, state: { notes: 'from the past' } },
    });
    await client.workflowService.updateSchedule({
      namespace,
      scheduleId: subject.id,
      requestId: randomUUID(),
      conflictToken: changed.raw.conflictToken ?? null,
      schedule: { ...changed.raw.schedule, state: { notes: 'third' } },
      searchAttributes: { indexedFields: {} },
    });
    const last = await subject.untilDescribed(({ state }) => state.note !== 'second');
    expect(last.state.note).toBe('third');
    expect(last.raw.conflictToken?.at(-1)).toBe(3);
    expect(last.raw.searchAttributes?.indexedFields ?? {}).toEqual({});
    await subject.delete();
  });

  test('listings show what describing shows, and find by attributes and state', async () => {
    const colour = `colour-${randomUUID()}`;
    const one = await new Subject().create({
      searchAttributes: { Colour: [colour] },
      spec: { intervals: [{ every: '1h' }] },
      memo: { m: 'x' },
    });
    const two = await new Subject().create({
      searchAttributes: { Colour: [colour] },
      state: { paused: true, note: 'rest' },
    });
    const ids = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { scheduleId } of client.schedule.list({ query })) found.push(scheduleId);
      return found.sort();
    };
    const both = [one.id, two.id].sort();
    await until(async () => (await ids(`Colour = '${colour}'`)).length === 2);
    await until(
      async () => (await ids(`Colour = '${colour}' AND TemporalSchedulePaused = true`)).length === 1,
    );
    expect(await ids(`Colour = '${colour}' AND TemporalSchedulePaused = true`)).toEqual([two.id]);
    expect(await ids(`ScheduleId IN ('${one.id}', '${two.id}')`)).toEqual(both);
    expect(await ids(`ScheduleId STARTS_WITH '${one.id.slice(0, 30)}'`)).toEqual([one.id]);
    const { count } = await client.workflowService.countSchedules({
      namespace,
      query: `Colour = '${colour}'`,
    });
    expect(count?.toString()).toBe('2');
    for await (const summary of client.schedule.list({ query: `ScheduleId = '${one.id}'` })) {
      expect(summary).toMatchObject({
        memo: { m: 'x' },
        searchAttributes: { Colour: [colour] },
        state: { paused: false },
      });
      expect(summary.info.nextActionTimes).toEqual((await one.describe()).info.nextActionTimes.slice(0, 5));
    }
    const first = await client.workflowService.listSchedules({
      namespace,
      query: `Colour = '${colour}'`,
      maximumPageSize: 1,
    });
    const second = await client.workflowService.listSchedules({
      namespace,
      query: `Colour = '${colour}'`,
      maximumPageSize: 1,
      nextPageToken: first.nextPageToken,
    });
    expect([...first.schedules, ...second.schedules].map((entry) => String(entry.scheduleId)).sort()).toEqual(
      both,
    );
    const refused = (query: string): Promise<unknown> =>
      client.workflowService.listSchedules({ namespace, query });
    await expect(refused(`WorkflowType = 'act'`)).rejects.toThrow('cannot filter on "WorkflowType"');
    await expect(refused(`Nothing = 'act'`)).rejects.toThrow('invalid search attribute: Nothing');
    await one.delete();
    await until(async () => (await ids(`Colour = '${colour}'`)).length === 1);
    await two.delete();
  });

  test('errors are those of the SDK', async () => {
    const subject = await new Subject().create();
    await expect(new Subject().create.call(subject)).rejects.toBeInstanceOf(ScheduleAlreadyRunning);
    await subject.delete();
    const missing = client.schedule.getHandle('no-such-schedule');
    for (const call of [
      () => subject.handle.describe(),
      () => missing.describe(),
      () => missing.trigger(),
      () => missing.pause(),
      () => missing.delete(),
      () => missing.backfill({ start: new Date(0), end: new Date(1) }),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(ScheduleNotFoundError);
    }
    // The id is free again.
    await subject.create();
    expect((await subject.describe()).info.numActionsTaken).toBe(0);
    await subject.delete();
  });
});
