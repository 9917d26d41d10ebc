import type { Request, Row, RowClient } from '../row-client.ts';
import { command, completion, json, long, payloads, seconds } from './values.ts';

const wrong: readonly [string, Request][] = [
  ['namespace unknown', { namespace: 'nowhere' }],
  ['namespace empty', { namespace: '' }],
  ['workflow id empty', { workflowId: '' }],
  ['workflow id of 1001', { workflowId: long(1001) }],
  ['workflow type unset', { workflowType: null }],
  ['workflow type empty', { workflowType: { name: '' } }],
  ['workflow type of 1001', { workflowType: { name: long(1001) } }],
  ['task queue unset', { taskQueue: null }],
  ['task queue empty', { taskQueue: { name: '' } }],
  ['task queue of 1001', { taskQueue: { name: long(1001) } }],
  ['task queue reserved', { taskQueue: { name: '/_sys/x' } }],
  ['task queue sticky', { taskQueue: { name: 'q', kind: 'TASK_QUEUE_KIND_STICKY' } }],
  ['request id of 1001', { requestId: long(1001) }],
  ['request id empty', { requestId: '' }],
  ['execution timeout negative', { workflowExecutionTimeout: seconds(-1) }],
  ['run timeout negative', { workflowRunTimeout: seconds(-1) }],
  ['task timeout negative', { workflowTaskTimeout: seconds(-1) }],
  ['execution timeout with bad nanos', { workflowExecutionTimeout: { seconds: 1, nanos: -5 } }],
  ['run timeout with too many nanos', { workflowRunTimeout: { seconds: 1, nanos: 1_500_000_000 } }],
  ['start delay negative', { workflowStartDelay: seconds(-1) }],
  ['retry: coefficient below 1', { retryPolicy: { backoffCoefficient: 0.5 } }],
  ['retry: coefficient 0', { retryPolicy: { maximumAttempts: 2 } }],
  ['retry: initial interval negative', { retryPolicy: { initialInterval: seconds(-1) } }],
  ['retry: maximum interval negative', { retryPolicy: { maximumInterval: seconds(-1) } }],
  [
    'retry: maximum interval below initial',
    { retryPolicy: { initialInterval: seconds(5), maximumInterval: seconds(1) } },
  ],
  ['retry: maximum attempts negative', { retryPolicy: { maximumAttempts: -1 } }],
  [
    'retry: one attempt and a bad interval',
    { retryPolicy: { maximumAttempts: 1, initialInterval: seconds(-1) } },
  ],
  ['retry: timeout type unknown', { retryPolicy: { nonRetryableErrorTypes: ['TemporalTimeout:Nope'] } }],
  ['cron: no schedule', { cronSchedule: 'nonsense' }],
  ['cron: too few fields', { cronSchedule: '* * *' }],
  ['cron: out of range', { cronSchedule: '61 * * * *' }],
  ['cron with start delay', { cronSchedule: '* * * * *', workflowStartDelay: seconds(1) }],
  [
    'terminate-if-running with a conflict policy',
    {
      workflowIdReusePolicy: 'WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING',
      workflowIdConflictPolicy: 'WORKFLOW_ID_CONFLICT_POLICY_FAIL',
    },
  ],
  [
    'reject-duplicate with terminate-existing',
    {
      workflowIdReusePolicy: 'WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING',
    },
  ],
  ['search attribute unknown', { searchAttributes: { indexedFields: { Nope: json('x') } } }],
  ['search attribute of the system', { searchAttributes: { indexedFields: { WorkflowId: json('x') } } }],
  ['search attribute of a wrong type', { searchAttributes: { indexedFields: { RowInt: json('x') } } }],
  ['search attribute empty', { searchAttributes: { indexedFields: { RowInt: {} } } }],
  ['input over 2 MiB', { input: { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] } }],
  ['memo over 2 MiB', { memo: { fields: { m: { data: Buffer.alloc(2 * 1024 * 1024) } } } }],
  ['priority negative', { priority: { priorityKey: -1 } }],
  ['priority beyond the last', { priority: { priorityKey: 6 } }],
  ['fairness key of 65', { priority: { fairnessKey: long(65) } }],
  ['fairness weight negative', { priority: { fairnessWeight: -1 } }],
  ['summary over 400 bytes', { userMetadata: { summary: json(long(500)) } }],
  ['links', { links: [{ workflowEvent: { namespace: 'default', workflowId: 'x', runId: 'y' } }] }],
  ['link without a workflow', { links: [{ workflowEvent: { namespace: 'default' } }] }],
  ['link without a kind', { links: [{}] }],
  ['links beyond ten', { links: Array.from({ length: 11 }, (_, i) => link(`x${i}`)) }],
  ['callback without a kind', { completionCallbacks: [{}] }],
  [
    'callback to a URL that nobody allowed',
    { completionCallbacks: [{ nexus: { url: 'http://localhost/x' } }] },
  ],
  ['on-conflict options without use-existing', { onConflictOptions: { attachRequestId: true } }],
  ['versioning override without a version', { versioningOverride: { pinned: {} } }],
  [
    'versioning override to an unknown version',
    {
      versioningOverride: {
        pinned: {
          behavior: 'PINNED_OVERRIDE_BEHAVIOR_PINNED',
          version: { deploymentName: 'no', buildId: 'no' },
        },
      },
    },
  ],
  ['eager start with cron', { cronSchedule: '* * * * *', requestEagerExecution: true }],
];

function link(workflowId: string): Request {
  return {
    workflowEvent: { namespace: 'default', workflowId, runId: '0198d1a4-0000-7000-8000-000000000000' },
  };
}

/** A run of the row's id in some state, and then a second start. */
const again = (
  name: string,
  closed: 'open' | 'completed' | 'failed' | 'terminated',
  second: Request,
): Row => ({
  name: `start on an id whose run is ${closed}: ${name}`,
  run: async (s) => {
    const { runId, workflowId } = await s.start();
    if (closed === 'completed') await s.complete(await s.task(), [completion]);
    if (closed === 'failed') await s.complete(await s.task(), [fail]);
    if (closed === 'terminated') {
      await s.do('terminateWorkflowExecution', { workflowExecution: { workflowId, runId } });
    }
    await s.call('startWorkflowExecution', { ...s.startRequest(), ...second });
    await s.history(workflowId, runId);
  },
});
const fail = command('failWorkflowExecution', { failure: { message: 'broken', applicationFailureInfo: {} } });
const reuse = (policy: string): Request => ({ workflowIdReusePolicy: `WORKFLOW_ID_REUSE_POLICY_${policy}` });
const conflict = (policy: string): Request => ({
  workflowIdConflictPolicy: `WORKFLOW_ID_CONFLICT_POLICY_${policy}`,
});

export const starts: readonly Row[] = [
  ...wrong.map(([name, more]): Row => ({
    name: `start: ${name}`,
    run: (s) => s.call('startWorkflowExecution', { ...s.startRequest(), ...more }),
  })),
  ...(['open', 'completed', 'failed', 'terminated'] as const).flatMap((state) =>
    ['ALLOW_DUPLICATE', 'ALLOW_DUPLICATE_FAILED_ONLY', 'REJECT_DUPLICATE', 'TERMINATE_IF_RUNNING'].map(
      (policy) => again(policy, state, reuse(policy)),
    ),
  ),
  ...['FAIL', 'USE_EXISTING', 'TERMINATE_EXISTING'].map((policy) => again(policy, 'open', conflict(policy))),
  again('USE_EXISTING that attaches', 'open', {
    ...conflict('USE_EXISTING'),
    requestId: 'second',
    links: [link('other')],
    onConflictOptions: { attachRequestId: true, attachLinks: true },
  }),
  again('USE_EXISTING that attaches nothing', 'open', { ...conflict('USE_EXISTING'), onConflictOptions: {} }),
  {
    name: 'start: the same request id again',
    run: async (s) => {
      const request = { ...s.startRequest(), requestId: 'same' };
      await s.call('startWorkflowExecution', request);
      await s.call('startWorkflowExecution', request);
      await s.call('startWorkflowExecution', { ...request, workflowType: { name: 'another' } });
    },
  },
  {
    name: 'start: the same request id after the run has ended',
    run: async (s) => {
      const request = { ...s.startRequest(), requestId: 'same' };
      await s.do('startWorkflowExecution', request);
      await s.complete(await s.task(), [completion]);
      await s.call('startWorkflowExecution', request);
    },
  },
  written('input, header, memo and metadata', {
    input: payloads('one', { two: 2 }),
    header: { fields: { trace: json('t') } },
    memo: { fields: { note: json('n') } },
    userMetadata: { summary: json('summary'), details: json('details') },
  }),
  written('search attributes', {
    searchAttributes: {
      indexedFields: { RowKeyword: json('k'), RowInt: json(4), RowList: json(['a', 'b']) },
    },
  }),
  written('timeouts', {
    workflowExecutionTimeout: seconds(100),
    workflowRunTimeout: seconds(200),
    workflowTaskTimeout: seconds(500),
  }),
  written('timeouts of zero', { workflowExecutionTimeout: seconds(0), workflowRunTimeout: seconds(0) }),
  written('a run timeout beyond the execution timeout', {
    workflowExecutionTimeout: seconds(10),
    workflowRunTimeout: seconds(60),
  }),
  written('a retry policy with defaults', { retryPolicy: { maximumAttempts: 3 } }),
  written('a start delay', { workflowStartDelay: seconds(3600) }),
  written('a cron schedule', { cronSchedule: '@hourly' }, ['firstWorkflowTaskBackoff']),
  written('a priority', { priority: { priorityKey: 2, fairnessKey: 'tenant', fairnessWeight: 2 } }),
  written('an eager start', { requestEagerExecution: true }),
  written('a link', { links: [link('other')] }),
  written('an input failure and results of before', {
    lastCompletionResult: payloads(1),
    continuedFailure: { message: 'm' },
  }),
];

function written(name: string, more: Request, differing: readonly string[] = []): Row {
  return {
    name: `start with ${name}`,
    run: async (s: RowClient) => {
      await s.call('startWorkflowExecution', { ...s.startRequest(), ...more });
      if (differing.length === 0) await s.history(s.id('w'));
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
    },
  };
}
