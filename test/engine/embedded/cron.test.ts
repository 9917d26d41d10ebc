import { ContinueAsNewInitiator } from '../../../engine/embedded/protocol/proto.ts';
import { parseCron } from '../../../engine/embedded/cron/cron-schedule.ts';
import { until } from '../until.ts';
import { EngineProcess } from './support/engine-process.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type RawCommand, RawWorker, closeCommand } from './support/raw.ts';
import { CommandType } from '../../../engine/embedded/protocol/proto.ts';
import { errorOf, refusal } from './support/rpc-error.ts';

jest.setTimeout(60_000);

const at = (text: string): number => Date.parse(text);
const next = (schedule: string, since: string, now = since): string | undefined => {
  const time = parseCron(schedule)?.firstFrom(at(since), at(now));
  return time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
};

const MONDAY = '2026-11-23T22:20:30.500Z';

describe('the next time of a schedule', () => {
  test.each([
    ['* * * * *', '2026-11-23T22:21:00Z'],
    ['? * * * ?', '2026-11-23T22:21:00Z'],
    ['5-40/10 * * * *', '2026-11-23T22:25:00Z'],
    ['50/5 * * * *', '2026-11-23T22:50:00Z'],
    ['0,59 3,22 * * *', '2026-11-23T22:59:00Z'],
    ['@hourly', '2026-11-23T23:00:00Z'],
    ['@daily', '2026-11-24T00:00:00Z'],
    ['@weekly', '2026-11-29T00:00:00Z'],
    ['@monthly', '2026-12-01T00:00:00Z'],
    ['@annually', '2027-01-01T00:00:00Z'],
    ['0 12 * JAN-MAR 1-5', '2027-01-01T12:00:00Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00Z'],
    // Either field of days is enough where both are given; a step of `*` counts as given.
    ['0 0 13 * FRI', '2026-11-27T00:00:00Z'],
    ['0 0 */31 * SUN', '2026-11-29T00:00:00Z'],
    ['CRON_TZ=Europe/Berlin 0 3 * * *', '2026-11-24T02:00:00Z'],
    ['TZ=America/New_York 30 2 * * 0', '2026-11-29T07:30:00Z'],
    ['@every 90s', '2026-11-23T22:22:00Z'],
    ['@every 1h30m', '2026-11-23T23:50:30Z'],
    ['@every 500ms', '2026-11-23T22:20:31Z'],
    ['@every 1m0.7s', '2026-11-23T22:21:30Z'],
    ['0 0 31 2 *', undefined],
  ])('%s', (schedule, expected) => {
    expect(next(schedule, MONDAY)).toBe(expected);
  });

  test.each([
    // The clocks of Berlin go from 2:00 to 3:00 on 29 March 2026, and from 3:00 to 2:00 on 25 October.
    ['30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['0 * * * *', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    ['30 2 * * *', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
    ['30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
  ])('%s in Berlin after %s', (schedule, since, expected) => {
    expect(next(`TZ=Europe/Berlin ${schedule}`, since)).toBe(expected);
  });

  test('the times that a long run missed are passed over, in the rhythm of the first', () => {
    expect(next('@every 10s', '2026-11-23T00:00:03Z', '2026-11-23T00:01:00Z')).toBe('2026-11-23T00:01:03Z');
    expect(next('*/10 * * * *', '2026-11-23T00:00:00Z', '2026-11-23T05:10:00Z')).toBe('2026-11-23T05:10:00Z');
  });

  test.each(
    'x|* * *|61 * * * *|* * * * * *|@never|@every|@every 5x|@ every 5s|1-0 * * * *|*/0 * * * *|0 0 0 * *|0 0 * 13 *|0 0 * * 7|TZ=Nowhere/X * * * * *|*-5 * * * *|1/2/3 * * * *|-1 * * * *'.split(
      '|',
    ),
  )('%s is none', (schedule) => {
    expect(parseCron(schedule)).toBeUndefined();
  });
});

const fails: RawCommand = {
  commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  failWorkflowExecutionCommandAttributes: { failure: { message: 'no', applicationFailureInfo: {} } },
};
const answers: RawCommand = {
  ...closeCommand,
  completeWorkflowExecutionCommandAttributes: {
    result: {
      payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"first"') }],
    },
  },
};

async function started(client: TestEngine['client'], workflowId: string) {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes;
}

test('a run follows each end, with the last result; a failure passes both on', async () => {
  const engine = await startTestEngine();
  const worker = new RawWorker(engine, 'cron');
  const handle = await engine.client.workflow.start('any', {
    taskQueue: worker.queue,
    workflowId: 'cron',
    cronSchedule: '@every 1s',
    retry: { maximumAttempts: 1 },
    args: ['input'],
  });
  const first = await started(engine.client, 'cron');
  expect(first).toMatchObject({
    cronSchedule: '@every 1s',
    initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_CRON_SCHEDULE,
  });
  expect(Number(first?.firstWorkflowTaskBackoff?.seconds)).toBe(1);
  await worker.complete(await worker.poll(), [answers]);
  const last = await engine.client.workflow.getHandle('cron', handle.firstExecutionRunId).fetchHistory();
  const { runId } = await engine.client.workflow.getHandle('cron').describe();
  expect(last.events?.at(-1)?.workflowExecutionCompletedEventAttributes?.newExecutionRunId).toBe(runId);
  const second = await started(engine.client, 'cron');
  expect(String(second?.lastCompletionResult?.payloads?.[0]?.data)).toBe('"first"');
  expect(second?.input).toEqual(first?.input);
  await worker.complete(await worker.poll(), [fails]);
  const third = await started(engine.client, 'cron');
  expect(third?.continuedFailure?.message).toBe('no');
  expect(String(third?.lastCompletionResult?.payloads?.[0]?.data)).toBe('"first"');
  await engine.client.workflow.getHandle('cron').terminate();
  expect((await engine.client.workflow.getHandle('cron').describe()).status.name).toBe('TERMINATED');
  await engine.close();
});

test('a run that times out is followed, an execution that does is not, and bad schedules are refused', async () => {
  const engine = await startTestEngine();
  const start = (workflowId: string, options: object) =>
    engine.client.workflow.start('any', { taskQueue: 'nobody', workflowId, ...options });
  await start('run', { cronSchedule: '@every 1s', workflowRunTimeout: '100ms' });
  await start('execution', { cronSchedule: '@every 1s', workflowExecutionTimeout: '100ms' });
  await until(
    async () => (await started(engine.client, 'run'))?.continuedFailure?.timeoutFailureInfo != null,
  );
  await engine.client.workflow.getHandle('run').terminate();
  await until(
    async () => (await engine.client.workflow.getHandle('execution').describe()).status.name === 'TIMED_OUT',
  );
  const never = engine.connection.workflowService.startWorkflowExecution({
    namespace: 'default',
    workflowId: 'never',
    workflowType: { name: 'any' },
    taskQueue: { name: 'nobody' },
    cronSchedule: '0 0 31 2 *',
  });
  expect(await errorOf(never)).toEqual(
    refusal(3, 'invalid CronSchedule, no time can be found to satisfy the schedule'),
  );
  await engine.close();
});

test('the next run survives a kill during its wait', async () => {
  const server = new EngineProcess();
  await server.start();
  const { client, connection } = await server.connect();
  const worker = new RawWorker({ connection }, 'cron');
  await client.workflow.start('any', {
    taskQueue: 'cron',
    workflowId: 'cron',
    cronSchedule: '@every 1s',
  });
  await worker.complete(await worker.poll(), [closeCommand]);
  const { runId } = await client.workflow.getHandle('cron').describe();
  await server.restart();
  const task = await worker.poll({ deadlineMs: 30_000 });
  expect(task.workflowExecution?.runId).toBe(runId);
  await connection.close();
  await server.close();
});
