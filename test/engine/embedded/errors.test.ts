import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import {
  UpdateWorkflowExecutionLifecycleStage,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '../../../engine/embedded/protocol/proto.ts';
import { detailsOf, errorOf, refusal } from './support/rpc-error.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { RawWorker, closeCommand } from './support/raw.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const { ALREADY_EXISTS, INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNIMPLEMENTED } =
  status;
const { FAILED_PRECONDITION } = status;

type Service = TestEngine['connection']['workflowService'];

const engine = openedForAll(startTestEngine);
const service = madeForAll(() => engine.connection.workflowService);

type StartRequest = Parameters<Service['startWorkflowExecution']>[0];
const namespace = 'default';
const start = (request: Partial<StartRequest> = {}) =>
  service.startWorkflowExecution({
    namespace,
    workflowId: randomUUID(),
    workflowType: { name: 'w' },
    taskQueue: { name: 'q' },
    requestId: randomUUID(),
    ...request,
  });
const seconds = (n: number) => ({ seconds: n as never });
const json = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

describe('starting', () => {
  const invalid: [string, Partial<StartRequest>, string][] = [
    ['no namespace', { namespace: '' }, 'Namespace is empty.'],
    ['no id', { workflowId: '' }, 'WorkflowId is not set on request.'],
    ['no type', { workflowType: null }, 'WorkflowType is not set on request.'],
    ['no queue', { taskQueue: null }, 'taskQueue is not set'],
    ['empty queue', { taskQueue: { name: '' } }, 'missing task queue name'],
    [
      'reserved queue',
      { taskQueue: { name: '/_sys/x' } },
      'task queue name cannot start with reserved prefix /_sys/',
    ],
    ['long id', { workflowId: 'x'.repeat(1001) }, 'WorkflowId exceeds maximum allowed length (1001/1000)'],
    ['long type', { workflowType: { name: 'x'.repeat(1001) } }, 'WorkflowType length exceeds limit.'],
    [
      'negative run timeout',
      { workflowRunTimeout: seconds(-1) },
      'An invalid WorkflowRunTimeoutSeconds is set on request. cause: negative duration',
    ],
    [
      'shrinking back-off',
      { retryPolicy: { backoffCoefficient: 0.5 } },
      'BackoffCoefficient cannot be less than 1 on retry policy.',
    ],
    [
      'maximum below initial interval',
      { retryPolicy: { initialInterval: seconds(5), maximumInterval: seconds(1) } },
      'MaximumInterval cannot be less than InitialInterval on retry policy.',
    ],
    [
      'negative attempts',
      { retryPolicy: { maximumAttempts: -1 } },
      'MaximumAttempts cannot be negative on retry policy.',
    ],
    ['bad cron', { cronSchedule: 'nonsense' }, 'invalid CronSchedule.'],
    [
      'cron with delay',
      { cronSchedule: '* * * * *', workflowStartDelay: seconds(1) },
      'CronSchedule and WorkflowStartDelay may not be used together.',
    ],
    [
      'terminate-if-running with a conflict policy',
      {
        workflowIdReusePolicy: WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
      },
      'Invalid WorkflowIDReusePolicy: WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING cannot be used together with a WorkflowIDConflictPolicy',
    ],
    [
      'unknown search attribute',
      { searchAttributes: { indexedFields: { Nope: json('x') } } },
      'Namespace default has no mapping defined for search attribute Nope',
    ],
    [
      'system search attribute',
      { searchAttributes: { indexedFields: { WorkflowId: json('x') } } },
      "WorkflowId attribute can't be set in SearchAttributes",
    ],
    [
      'large input',
      { input: { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] } },
      'Blob data size exceeds limit.',
    ],
    [
      'large memo',
      { memo: { fields: { m: { data: Buffer.alloc(2 * 1024 * 1024) } } } },
      'Memo size exceeds limit.',
    ],
  ];
  test.each(invalid)('%s', async (_name, request, message) => {
    expect(await errorOf(start(request))).toEqual({ code: INVALID_ARGUMENT, message, details: [] });
  });

  test('an unknown namespace', async () => {
    expect(await errorOf(start({ namespace: 'nowhere' }))).toEqual(
      refusal(NOT_FOUND, 'Namespace nowhere is not found.', 'NamespaceNotFoundFailure'),
    );
  });

  test('a message beyond what the wire carries', async () => {
    // Clients try again when a server is exhausted; this one does not.
    const once = await Connection.connect({ ...engine.engine.connection, interceptors: [] });
    const error = await errorOf(
      once.workflowService.startWorkflowExecution({
        namespace,
        input: { payloads: [{ data: Buffer.alloc(5 * 1024 * 1024) }] },
      }),
    );
    await once.close();
    expect(error.code).toBe(RESOURCE_EXHAUSTED);
    expect(error.message).toMatch(/^grpc: received message larger than max \(\d+ vs\. 4194304\)$/);
  });

  test('an id that is taken by an open run names that run', async () => {
    const workflowId = randomUUID();
    const requestId = randomUUID();
    const { runId } = await start({ workflowId, requestId });
    const call = start({ workflowId });
    expect(await errorOf(call)).toEqual(
      refusal(
        ALREADY_EXISTS,
        `Workflow execution is already running. WorkflowId: ${workflowId}, RunId: ${runId}.`,
        'WorkflowExecutionAlreadyStartedFailure',
      ),
    );
    const [detail] = await call.then(
      () => [],
      (error: { metadata: { get(key: string): Buffer[] } }) =>
        detailsOf(error.metadata.get('grpc-status-details-bin')),
    );
    const { WorkflowExecutionAlreadyStartedFailure } = proto.temporal.api.errordetails.v1;
    expect(WorkflowExecutionAlreadyStartedFailure.decode(detail?.value ?? new Uint8Array())).toMatchObject({
      startRequestId: requestId,
      runId,
      firstExecutionRunId: runId,
    });
  });

  test('an id that a closed run had, when duplicates are refused', async () => {
    const workflowId = randomUUID();
    const { runId } = await start({ workflowId });
    await engine.client.workflow.getHandle(workflowId).terminate();
    expect(
      await errorOf(
        start({
          workflowId,
          workflowIdReusePolicy: WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
        }),
      ),
    ).toEqual(
      refusal(
        ALREADY_EXISTS,
        `Workflow execution already finished. WorkflowId: ${workflowId}, RunId: ${runId}. Workflow Id reuse policy: reject duplicate workflow Id.`,
        'WorkflowExecutionAlreadyStartedFailure',
      ),
    );
  });
});

describe('addressing a run', () => {
  type Target = { workflowId: string; runId?: string };
  const calls: [string, (target: Target) => Promise<unknown>][] = [
    ['describe', (execution) => service.describeWorkflowExecution({ namespace, execution })],
    ['history', (execution) => service.getWorkflowExecutionHistory({ namespace, execution })],
    [
      'signal',
      (workflowExecution) =>
        service.signalWorkflowExecution({ namespace, workflowExecution, signalName: 's' }),
    ],
    [
      'cancel',
      (workflowExecution) => service.requestCancelWorkflowExecution({ namespace, workflowExecution }),
    ],
    [
      'terminate',
      (workflowExecution) => service.terminateWorkflowExecution({ namespace, workflowExecution }),
    ],
    ['query', (execution) => service.queryWorkflow({ namespace, execution, query: { queryType: 'x' } })],
    [
      'update',
      (workflowExecution) =>
        service.updateWorkflowExecution({
          namespace,
          workflowExecution,
          request: { meta: {}, input: { name: 'u' } },
        }),
    ],
    ['delete', (workflowExecution) => service.deleteWorkflowExecution({ namespace, workflowExecution })],
  ];

  test.each(calls)('%s: unknown id, unknown run, malformed run, no id', async (_name, call) => {
    const { workflowId, runId } = { workflowId: randomUUID(), runId: randomUUID() };
    await start({ workflowId });
    expect(await errorOf(call({ workflowId: 'nobody' }))).toEqual(
      refusal(NOT_FOUND, 'workflow not found for ID: nobody', 'NotFoundFailure'),
    );
    expect(await errorOf(call({ workflowId, runId }))).toEqual(
      refusal(
        NOT_FOUND,
        `workflow execution not found for workflow ID "${workflowId}" and run ID "${runId}"`,
        'NotFoundFailure',
      ),
    );
    expect(await errorOf(call({ workflowId, runId: 'not-a-uuid' }))).toEqual(
      refusal(INVALID_ARGUMENT, 'Invalid RunId.'),
    );
    expect(await errorOf(call({ workflowId: '' }))).toEqual(
      refusal(INVALID_ARGUMENT, 'WorkflowId is not set on request.'),
    );
  });

  test('a closed run takes no signal, termination or update, but cancelling it is fine', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    await service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    const closed = refusal(NOT_FOUND, 'workflow execution already completed', 'NotFoundFailure');
    const workflowExecution = { workflowId };
    expect(
      await errorOf(service.signalWorkflowExecution({ namespace, workflowExecution, signalName: 's' })),
    ).toEqual(closed);
    expect(await errorOf(service.terminateWorkflowExecution({ namespace, workflowExecution }))).toEqual(
      closed,
    );
    expect(
      await errorOf(
        service.updateWorkflowExecution({
          namespace,
          workflowExecution,
          request: { meta: {}, input: { name: 'u' } },
        }),
      ),
    ).toEqual(closed);
    await service.requestCancelWorkflowExecution({ namespace, workflowExecution });
  });

  test('a chain that begins with another run', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    const error = await errorOf(
      service.terminateWorkflowExecution({
        namespace,
        workflowExecution: { workflowId },
        firstExecutionRunId: randomUUID(),
      }),
    );
    expect(error).toEqual(refusal(NOT_FOUND, 'workflow execution not found', 'NotFoundFailure'));
  });

  test('missing names', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    const execution = { workflowId };
    const message = async (call: Promise<unknown>): Promise<string> => (await errorOf(call)).message;
    expect(await message(service.queryWorkflow({ namespace, execution }))).toBe(
      'WorkflowQuery is not set on request.',
    );
    expect(await message(service.signalWorkflowExecution({ namespace, workflowExecution: execution }))).toBe(
      'SignalName is not set on request.',
    );
    expect(await message(service.updateWorkflowExecution({ namespace, workflowExecution: execution }))).toBe(
      'Update meta is not set on request.',
    );
    expect(
      await message(
        service.signalWithStartWorkflowExecution({
          namespace,
          workflowId,
          workflowType: { name: 'w' },
          taskQueue: { name: 'q' },
        }),
      ),
    ).toBe('signal not set');
  });

  test('an update that would only wait to be admitted', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    const error = await errorOf(
      service.updateWorkflowExecution({
        namespace,
        workflowExecution: { workflowId },
        request: { meta: {}, input: { name: 'u' } },
        waitPolicy: {
          lifecycleStage:
            UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED,
        },
      }),
    );
    expect(error).toEqual(
      refusal(
        PERMISSION_DENIED,
        'UpdateWorkflowExecution issued asynchronously and waiting on update admitted is not supported.',
        'PermissionDeniedFailure',
      ),
    );
  });

  test('polling an update nobody sent', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    const poll = (execution: Target) =>
      service.pollWorkflowExecutionUpdate({
        namespace,
        updateRef: { workflowExecution: execution, updateId: 'u' },
      });
    expect(await errorOf(poll({ workflowId }))).toEqual(
      refusal(NOT_FOUND, 'update "u" not found', 'NotFoundFailure'),
    );
    expect((await errorOf(poll({ workflowId, runId: 'x' }))).message).toBe('RunId is not valid UUID.');
  });

  test('querying a run that closed before any worker saw it', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    await service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    expect(
      await errorOf(
        service.queryWorkflow({ namespace, execution: { workflowId }, query: { queryType: 'x' } }),
      ),
    ).toEqual(
      refusal(
        FAILED_PRECONDITION,
        'Workflow execution closed before WorkflowTaskStarted event',
        'WorkflowNotReadyFailure',
      ),
    );
  });
});

describe('update with start', () => {
  test('an id that differs fails the update part and aborts the start part', async () => {
    const workflowId = randomUUID();
    const call = service.executeMultiOperation({
      namespace,
      operations: [
        {
          startWorkflow: {
            namespace,
            workflowId,
            workflowType: { name: 'w' },
            taskQueue: { name: 'q' },
            workflowIdConflictPolicy: WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
          },
        },
        {
          updateWorkflow: {
            namespace,
            workflowExecution: { workflowId: 'another' },
            request: { meta: {}, input: { name: 'u' } },
          },
        },
      ],
    });
    expect(await errorOf(call)).toEqual(
      refusal(INVALID_ARGUMENT, 'Update-with-Start could not be executed.', 'MultiOperationExecutionFailure'),
    );
    const [detail] = await call.then(
      () => [],
      (error: { metadata: { get(key: string): Buffer[] } }) =>
        detailsOf(error.metadata.get('grpc-status-details-bin')),
    );
    const { MultiOperationExecutionFailure } = proto.temporal.api.errordetails.v1;
    const { statuses } = MultiOperationExecutionFailure.decode(detail?.value ?? new Uint8Array());
    expect(statuses.map(({ code, message }) => [code, message])).toEqual([
      [10, 'Operation was aborted.'],
      [3, 'WorkflowId is not consistent with previous operation(s).'],
    ]);
    expect(
      (await errorOf(service.describeWorkflowExecution({ namespace, execution: { workflowId } }))).code,
    ).toBe(NOT_FOUND);
  });
});

describe('task tokens', () => {
  const answers: [string, (taskToken: Uint8Array, namespace?: string) => Promise<unknown>][] = [
    [
      'workflow task',
      (taskToken, namespace = 'default') => service.respondWorkflowTaskCompleted({ namespace, taskToken }),
    ],
    [
      'failed workflow task',
      (taskToken, namespace = 'default') => service.respondWorkflowTaskFailed({ namespace, taskToken }),
    ],
    [
      'activity',
      (taskToken, namespace = 'default') => service.respondActivityTaskCompleted({ namespace, taskToken }),
    ],
    [
      'failed activity',
      (taskToken, namespace = 'default') => service.respondActivityTaskFailed({ namespace, taskToken }),
    ],
    [
      'heartbeat',
      (taskToken, namespace = 'default') => service.recordActivityTaskHeartbeat({ namespace, taskToken }),
    ],
    [
      'query',
      (taskToken, namespace = 'default') => service.respondQueryTaskCompleted({ namespace, taskToken }),
    ],
  ];
  test.each(answers)('%s: none, garbage', async (_name, answer) => {
    expect(await errorOf(answer(new Uint8Array()))).toEqual(
      refusal(INVALID_ARGUMENT, 'Task token not set on request.'),
    );
    expect(await errorOf(answer(Buffer.from('garbage')))).toEqual(
      refusal(INVALID_ARGUMENT, 'Error deserializing task token.'),
    );
  });

  test.each(answers)('%s: a token of another server', async (_name, answer) => {
    // Field 1 is the namespace's id, as Temporal's own tokens have it; field 4 is a number.
    const foreign = Buffer.concat([Buffer.from([10, 36]), Buffer.from(randomUUID()), Buffer.from([32, 5])]);
    expect(await errorOf(answer(foreign))).toMatchObject({ code: NOT_FOUND });
  });

  test.each(answers.slice(2, 5))('%s: the namespace is looked up first', async (_name, answer) => {
    expect(await errorOf(answer(Buffer.from([1]), 'nowhere'))).toMatchObject({ code: NOT_FOUND });
  });

  test('a task answered twice, and one whose run was terminated meanwhile', async () => {
    const worker = new RawWorker(engine, 'tokens');
    const workflowId = randomUUID();
    await start({ workflowId, taskQueue: { name: 'tokens' } });
    const task = await worker.poll();
    await worker.complete(task, [closeCommand]);
    const gone = { code: NOT_FOUND, message: 'Workflow task not found.', details: ['NotFoundFailure'] };
    expect(await errorOf(worker.complete(task, []))).toEqual(gone);
    await start({ workflowId: 'to-terminate', taskQueue: { name: 'tokens' } });
    const second = await worker.poll();
    await service.terminateWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: 'to-terminate' },
    });
    expect(await errorOf(worker.complete(second, []))).toEqual(gone);
    expect(await errorOf(worker.fail(second))).toEqual(
      refusal(NOT_FOUND, 'workflow execution already completed', 'NotFoundFailure'),
    );
  });

  test('an activity that is not pending', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    expect(
      await errorOf(service.respondActivityTaskCompletedById({ namespace, workflowId, activityId: 'a' })),
    ).toEqual(
      refusal(
        NOT_FOUND,
        'cannot find pending activity with ActivityID a, check workflow execution history for more details',
        'NotFoundFailure',
      ),
    );
  });
});

describe('the rest', () => {
  test('namespaces', async () => {
    expect((await errorOf(service.describeNamespace({}))).message).toBe('Namespace not set on request.');
    expect(
      await errorOf(
        service.registerNamespace({ namespace, workflowExecutionRetentionPeriod: seconds(86400) }),
      ),
    ).toEqual(refusal(ALREADY_EXISTS, 'Namespace "default" already exists', 'NamespaceAlreadyExistsFailure'));
    expect((await errorOf(service.registerNamespace({ namespace: 'short' }))).message).toBe(
      'A valid retention period is not set on request.',
    );
  });

  test('what is not there says so and is switched off', async () => {
    const { capabilities } = await service.getSystemInfo({});
    expect(capabilities).toMatchObject({ supportsSchedules: true, nexus: false });
    const calls = [service.pollNexusTaskQueue({ namespace })];
    for (const call of calls) expect((await errorOf(call)).code).toBe(UNIMPLEMENTED);
  });

  test('a deleted run is found no more', async () => {
    const workflowId = randomUUID();
    await start({ workflowId });
    await service.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    expect(
      (await errorOf(service.describeWorkflowExecution({ namespace, execution: { workflowId } }))).message,
    ).toBe(`workflow not found for ID: ${workflowId}`);
    const { executions } = await service.listWorkflowExecutions({
      namespace,
      query: `WorkflowId = '${workflowId}'`,
    });
    expect(executions).toEqual([]);
  });
});
