import { CommandType, TaskQueueKind } from '../../../engine/embedded/protocol/proto.ts';
import { duration } from '../../../engine/embedded/protocol/values.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { BY_HAND, type RawCommand, RawWorker } from './support/raw.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { onQueue } from './support/worker.ts';

const LIMIT = 1024;
const payload = { data: Buffer.alloc(LIMIT + 1) };
const large = { payloads: [payload] };
const namespace = 'default';
const tooLarge = refusal(3, 'Blob data size exceeds limit.');

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine({ limits: { blobBytes: LIMIT } });
});
afterAll(() => engine.close());

test('the namespace tells its limits', async () => {
  const { namespaceInfo } = await engine.connection.workflowService.describeNamespace({ namespace });
  expect(Number(namespaceInfo?.limits?.blobSizeLimitError)).toBe(LIMIT);
});

const commands: [string, RawCommand, string][] = [
  [
    'an activity',
    {
      commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: { activityId: 'a', activityType: { name: 'a' }, input: large },
    },
    'BadScheduleActivityAttributes: ScheduleActivityTaskCommandAttributes.Input',
  ],
  [
    'a child',
    {
      commandType: CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION,
      startChildWorkflowExecutionCommandAttributes: { workflowId: 'c', input: large },
    },
    'BadStartChildExecutionAttributes: StartChildWorkflowExecutionCommandAttributes. Input',
  ],
  [
    'a signal',
    {
      commandType: CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION,
      signalExternalWorkflowExecutionCommandAttributes: { signalName: 's', input: large },
    },
    'BadSignalWorkflowExecutionAttributes: SignalExternalWorkflowExecutionCommandAttributes.Input',
  ],
  [
    'a result',
    {
      commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
      completeWorkflowExecutionCommandAttributes: { result: large },
    },
    'BadScheduleActivityAttributes: CompleteWorkflowExecutionCommandAttributes.Result',
  ],
  [
    'a failure',
    {
      commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
      failWorkflowExecutionCommandAttributes: { failure: { message: 'm'.repeat(LIMIT) } },
    },
    'BadFailWorkflowExecutionAttributes: FailWorkflowExecutionCommandAttributes.Failure',
  ],
  [
    'the next run',
    {
      commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
      continueAsNewWorkflowExecutionCommandAttributes: { input: large },
    },
    'BadContinueAsNewAttributes: ContinueAsNewWorkflowExecutionCommandAttributes. Input',
  ],
  [
    'a marker',
    {
      commandType: CommandType.COMMAND_TYPE_RECORD_MARKER,
      recordMarkerCommandAttributes: { markerName: 'm', details: { d: large } },
    },
    'BadRecordMarkerAttributes: RecordMarkerCommandAttributes.Details',
  ],
  [
    'a memo',
    {
      commandType: CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES,
      modifyWorkflowPropertiesCommandAttributes: { upsertedMemo: { fields: { m: payload } } },
    },
    'BadModifyWorkflowPropertiesAttributes: ModifyWorkflowPropertiesCommandAttributes',
  ],
];

test.each(commands)('%s that is too large ends the run', async (name, command, what) => {
  const worker = new RawWorker(engine, name);
  const handle = await engine.client.workflow.start('any', onQueue(name, name));
  const message = `${what} exceeds size limit.`;
  expect(await errorOf(worker.complete(await worker.poll(), [command]))).toEqual(refusal(3, message));
  const { events } = await handle.fetchHistory();
  expect(events?.at(-2)?.workflowTaskFailedEventAttributes?.failure?.message).toBe(message);
  expect(events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason).toBe(message);
});

test.each(['Completed', 'Failed', 'Canceled', 'Heartbeat'] as const)(
  'what an activity sends by %s fails it when it is too large',
  async (by) => {
    const { workflowService: service } = engine.connection;
    const worker = new RawWorker(engine, by);
    const handle = await engine.client.workflow.start('any', onQueue(by, by));
    await worker.complete(await worker.poll(), [
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: {
          activityId: 'a',
          activityType: { name: 'a' },
          taskQueue: { name: by },
          startToCloseTimeout: duration(60_000),
        },
      },
    ]);
    const { taskToken } = await engine.connection.withDeadline(Date.now() + 10_000, () =>
      service.pollActivityTaskQueue({
        namespace,
        taskQueue: { name: by, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        identity: BY_HAND,
      }),
    );
    const failure = { message: 'm'.repeat(LIMIT), applicationFailureInfo: { type: 'Big' } };
    const send = {
      Completed: () => service.respondActivityTaskCompleted({ namespace, taskToken, result: large }),
      Failed: () => service.respondActivityTaskFailed({ namespace, taskToken, failure }),
      Canceled: () => service.respondActivityTaskCanceled({ namespace, taskToken, details: large }),
      Heartbeat: () => service.recordActivityTaskHeartbeat({ namespace, taskToken, details: large }),
    };
    await send[by]();
    await worker.poll();
    const failed = ((await handle.fetchHistory()).events ?? []).flatMap(
      (event) => event.activityTaskFailedEventAttributes?.failure ?? [],
    );
    expect(failed).toMatchObject([{ serverFailureInfo: { nonRetryable: true } }]);
    expect(failed[0]?.message).toMatch(/exceeds? size limit\.$/);
    await handle.terminate();
  },
);

test('signals and queries that are too large are refused', async () => {
  const { workflowService: service } = engine.connection;
  const handle = await engine.client.workflow.start('any', onQueue('requests', 'requests'));
  const workflowExecution = { workflowId: 'requests' };
  const signalled = service.signalWorkflowExecution({
    namespace,
    workflowExecution,
    signalName: 's',
    input: large,
  });
  expect(await errorOf(signalled)).toEqual(tooLarge);
  const asked = service.queryWorkflow({
    namespace,
    execution: workflowExecution,
    query: { queryType: 'q', queryArgs: large },
  });
  expect(await errorOf(asked)).toEqual(tooLarge);
  await handle.terminate();
});
